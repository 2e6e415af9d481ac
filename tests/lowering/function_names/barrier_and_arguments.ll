; The barrier of OpenCL C 1.2, also for one with a memory scope; no call may leave a condition or a
; loop; arguments have names.
declare spir_func void @_Z18work_group_barrierj(i32)
declare spir_func void @_Z18work_group_barrierj12memory_scope(i32, i32)
declare spir_func float @_Z3sinf(float)
define spir_kernel void @k(float %x, float addrspace(1)* %0, i32 %1) !kernel_arg_name !0 {
  call spir_func void @_Z18work_group_barrierj(i32 1)
  call spir_func void @_Z18work_group_barrierj12memory_scope(i32 2, i32 1)
  %y = call spir_func float @_Z3sinf(float %x)
  ret void
}
!0 = !{!"", !"out", !""}
; ==== after
declare spir_func float @_Z3sinf(float) #0
declare spir_func void @_Z7barrierj(i32) #1
define spir_kernel void @k(float %x, float addrspace(1)* %out, i32 %argument2) #0 !kernel_arg_name !0 {
  call spir_func void @_Z7barrierj(i32 1)
  call spir_func void @_Z7barrierj(i32 2)
  %y = call spir_func float @_Z3sinf(float %x)
  ret void
}
attributes #0 = { convergent }
attributes #1 = { convergent nounwind }
!0 = !{!"x", !"out", !"argument2"}
