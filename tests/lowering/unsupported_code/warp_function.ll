declare i32 @__aiwc_clock()
define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %a = call i32 @__aiwc_clock()
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the warp function clock, which the simulator has not
