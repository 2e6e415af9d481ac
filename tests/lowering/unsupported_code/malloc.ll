declare i8 addrspace(4)* @malloc(i64)
define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %a = call i8 addrspace(4)* @malloc(i64 4)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses dynamic memory (malloc), which the simulator has not
