define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  call void asm "nop", ""()
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly, which the simulator has not
