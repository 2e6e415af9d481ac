; Of a name that is longer than 100 letters its begin is left, without template arguments of others,
; or without any; two of them differ by their parameters, or by a number. Operators are no brackets.
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
define spir_kernel void @_Z5takesIXadL_ZNK1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEptEvEEEvv() {
  ret void
}
define spir_kernel void @_Z5takesIXadL_ZNK1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEgtEiEEEvv() {
  ret void
}
define spir_kernel void @_Z5takesIXadL_ZNK1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEltEiEEEvv() {
  ret void
}
define spir_kernel void @_Z5takesIXadL_ZNK1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEElsEiEEEvv() {
  ret void
}
define spir_kernel void @_Z5takesIXadL_ZltI1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEEbiRKT_EEEvv() {
  ret void
}
define spir_kernel void @_Z6memberIZ1fIP1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEEDtptfp_1xET_E1CEvv() {
  ret void
}
define spir_kernel void @_Z6memberIZ1gILi3E1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEE1IIXgtT_Li2EEET0_E1CEvv() {
  ret void
}
define spir_kernel void @_Z6memberIZ1hILi3E1BIJiiiiiiiiiiiiiiiiiiiiiiiiiiiiEEE1IIXltT_Li2EEET0_E1CEvv() {
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
define spir_kernel void @"takes<&(B<...>::operator->() const)>"() {
  ret void
}
define spir_kernel void @"takes<&(B<...>::operator>(int) const)>"() {
  ret void
}
define spir_kernel void @"takes<&(B<...>::operator<(int) const)>"() {
  ret void
}
define spir_kernel void @"takes<&(B<...>::operator<<(int) const)>"() {
  ret void
}
define spir_kernel void @"takes<&(bool operator<<...>(int, B<...> const&))>"() {
  ret void
}
define spir_kernel void @"member<decltype(fp->x) f<...>(B<...>*)::C>"() {
  ret void
}
define spir_kernel void @"member<I<...> g<...>(B<...>)::C>"() {
  ret void
}
define spir_kernel void @"member<I<...> h<...>(B<...>)::C>"() {
  ret void
}
