define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %w = uitofp i32 %n to fp128
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses real numbers of more than 64 bits, which the simulator has not
