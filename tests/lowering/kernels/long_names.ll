; Of a name that is longer than 100 letters its begin is left, without what it is a template of; two
; of them differ by their parameters.
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
