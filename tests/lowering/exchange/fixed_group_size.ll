; A group of fixed size has as many places; a multiple of 32 has no smaller sub-group.
declare i32 addrspace(3)* @__aiwc_slots4()
declare spir_func i32 @_Z18get_sub_group_sizev()
define spir_kernel void @k() !reqd_work_group_size !0 {
  %slots = call i32 addrspace(3)* @__aiwc_slots4()
  %size = call spir_func i32 @_Z18get_sub_group_sizev()
  store i32 %size, i32 addrspace(3)* %slots
  ret void
}
!0 = !{i32 8, i32 8, i32 1}
; ==== after
@k.exchanged = internal addrspace(3) global [64 x i32] undef, align 4
declare spir_func i32 @_Z18get_sub_group_sizev()
declare i32 addrspace(3)* @__aiwc_slots4()
define spir_kernel void @k() !reqd_work_group_size !0 {
  store i32 32, i32 addrspace(3)* getelementptr inbounds ([64 x i32], [64 x i32] addrspace(3)* @k.exchanged, i32 0, i32 0), align 4
  ret void
}
!0 = !{i32 8, i32 8, i32 1}
