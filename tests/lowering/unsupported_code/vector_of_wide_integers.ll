define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %w = insertelement <2 x i128> undef, i128 1, i32 0
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses integers of more than 64 bits, which the simulator has not
