; What Oclgrind has, and what the exchange replaces.
declare spir_func void @_Z18work_group_barrierj(i32)
declare spir_func i32 @_Z18get_sub_group_sizev()
declare spir_func float @_Z3sinf(float)
define spir_kernel void @k(float %x) {
  call spir_func void @_Z18work_group_barrierj(i32 1)
  %a = call spir_func i32 @_Z18get_sub_group_sizev()
  %b = call spir_func float @_Z3sinf(float %x)
  ret void
}
; ==== unchanged
