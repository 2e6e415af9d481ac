define spir_func i32 @f(i32 %x) {
  %y = call spir_func i32 @g(i32 %x)
  ret i32 %y
}
define spir_func i32 @g(i32 %x) {
  %y = call spir_func i32 @f(i32 %x)
  ret i32 %y
}
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %out) {
  %y = call spir_func i32 @f(i32 %x)
  store i32 %y, i32 addrspace(1)* %out
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses recursion (f calls itself), which the simulator has not
