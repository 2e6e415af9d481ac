define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %h = uitofp i32 %n to bfloat
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses arithmetic of bfloat16, which the simulator has not
