declare spir_func half @_Z21work_group_reduce_addDh(half)
define spir_kernel void @k(half %x) {
  %a = call spir_func half @_Z21work_group_reduce_addDh(half %x)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the function work_group_reduce_add of this type, which the simulator has not
