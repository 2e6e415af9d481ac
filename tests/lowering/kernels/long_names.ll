; Of a name that is longer than 100 letters its begin is left, without template arguments of others,
; or without any; two of them differ by their parameters, or by a number.
define spir_kernel void @_Z100aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaav() {
  ret void
}
define spir_kernel void @_Z101bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbv() {
  ret void
}
define spir_kernel void @_Z9longNamedIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEvi(i32 %n) {
  ret void
}
define spir_kernel void @_Z9longNamedIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEvf(float %x) {
  ret void
}
define spir_kernel void @_Z6nestedI1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEiEvT0_(i32 %n) {
  ret void
}
define spir_kernel void @_Z6nestedI1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiiifEEiEvT0_(i32 %n) {
  ret void
}
define spir_kernel void @_Z6nestedI1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiffEEiEvT0_(i32 %n) {
  ret void
}
; ==== after
define spir_kernel void @aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa() {
  ret void
}
define spir_kernel void @"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb<...>"() {
  ret void
}
define spir_kernel void @"longNamed<...>"(i32 %n) {
  ret void
}
define spir_kernel void @"longNamed<...>(float)"(float %x) {
  ret void
}
define spir_kernel void @"nested<B<...>, int>"(i32 %n) {
  ret void
}
define spir_kernel void @"nested<B<...>, int>(int)"(i32 %n) {
  ret void
}
define spir_kernel void @"nested<B<...>, int>(int) #2"(i32 %n) {
  ret void
}
