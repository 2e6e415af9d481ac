declare spir_func i8 @_Z21work_group_reduce_addc(i8)
define spir_kernel void @k(i8 %x) {
  %a = call spir_func i8 @_Z21work_group_reduce_addc(i8 %x)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the function work_group_reduce_add of this type, which the simulator has not
