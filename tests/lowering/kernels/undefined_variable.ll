@elsewhere = external addrspace(1) global i32
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %x = load i32, i32 addrspace(1)* @elsewhere
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the variable elsewhere, which is defined nowhere
