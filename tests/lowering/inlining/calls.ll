; Functions become part of the kernel and go, also those that are not to be inlined, and those that
; nobody calls.
define spir_func i32 @twice(i32 %x) #0 {
  %result = shl i32 %x, 1
  ret i32 %result
}
define spir_func i32 @apply(i32 (i32)* %f, i32 %x) {
  %result = call spir_func i32 %f(i32 %x)
  ret i32 %result
}
define spir_func void @uncalled() {
  ret void
}
define weak_odr dso_local spir_kernel void @k(i32 %x, i32 addrspace(1)* %out) {
  %y = call spir_func i32 @twice(i32 %x)
  %z = call spir_func i32 @apply(i32 (i32)* @twice, i32 %y)
  store i32 %z, i32 addrspace(1)* %out
  ret void
}
attributes #0 = { noinline }
; ==== after
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %out) {
  %y = shl i32 %x, 1
  %z = shl i32 %y, 1
  store i32 %z, i32 addrspace(1)* %out
  ret void
}
