; Places to exchange values become local variables of the kernel, for 1024 work-items at most; a
; barrier is where the work-items of a sub-group, 32 of them, meet.
declare i32 addrspace(3)* @__aiwc_slots4()
declare i64 addrspace(3)* @__aiwc_slots8()
declare i32 @__aiwc_sub_group_size()
declare void @__aiwc_meet()
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %slots = call i32 addrspace(3)* @__aiwc_slots4()
  store i32 1, i32 addrspace(3)* %slots
  %wide = call i64 addrspace(3)* @__aiwc_slots8()
  store i64 1, i64 addrspace(3)* %wide
  call void @__aiwc_meet()
  %size = call i32 @__aiwc_sub_group_size()
  store i32 %size, i32 addrspace(1)* %out
  ret void
}
; ==== after
@k.exchanged = internal addrspace(3) global [1024 x i32] undef, align 4
@k.exchanged_long = internal addrspace(3) global [1024 x i64] undef, align 8
declare i32 addrspace(3)* @__aiwc_slots4()
declare i64 addrspace(3)* @__aiwc_slots8()
declare i32 @__aiwc_sub_group_size()
declare void @__aiwc_meet()
declare spir_func void @_Z7barrierj(i32) #0
define spir_kernel void @k(i32 addrspace(1)* %out) {
  store i32 1, i32 addrspace(3)* getelementptr inbounds ([1024 x i32], [1024 x i32] addrspace(3)* @k.exchanged, i32 0, i32 0)
  store i64 1, i64 addrspace(3)* getelementptr inbounds ([1024 x i64], [1024 x i64] addrspace(3)* @k.exchanged_long, i32 0, i32 0)
  call spir_func void @_Z7barrierj(i32 3)
  store i32 32, i32 addrspace(1)* %out
  ret void
}
attributes #0 = { convergent nounwind }
