define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %a = alloca i8, i32 %n
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses an array of variable length (alloca), which the simulator has not
