declare spir_func i8* @_Z17get_default_queuev()
define spir_kernel void @k() {
  %a = call spir_func i8* @_Z17get_default_queuev()
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses kernels that enqueue kernels (get_default_queue), which the simulator has not
