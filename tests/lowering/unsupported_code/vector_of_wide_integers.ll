define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %w = bitcast <4 x i64> undef to <2 x i128>
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses integers of more than 64 bits, which the simulator has not
