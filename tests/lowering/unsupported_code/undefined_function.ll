declare float @_Z3texf(float)
define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %a = call float @_Z3texf(float 1.0)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the function tex, which is defined nowhere
