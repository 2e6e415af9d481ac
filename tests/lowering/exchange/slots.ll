; Places to exchange values become local variables of the kernel, for 1024 work-items at most; a
; sub-group has 32.
declare i32 addrspace(3)* @__aiwc_slots4()
declare i64 addrspace(3)* @__aiwc_slots8()
declare i32 @__aiwc_sub_group_size()
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %slots = call i32 addrspace(3)* @__aiwc_slots4()
  store i32 1, i32 addrspace(3)* %slots
  %wide = call i64 addrspace(3)* @__aiwc_slots8()
  store i64 1, i64 addrspace(3)* %wide
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
define spir_kernel void @k(i32 addrspace(1)* %out) {
  store i32 1, i32 addrspace(3)* getelementptr inbounds ([1024 x i32], [1024 x i32] addrspace(3)* @k.exchanged, i32 0, i32 0), align 4
  store i64 1, i64 addrspace(3)* getelementptr inbounds ([1024 x i64], [1024 x i64] addrspace(3)* @k.exchanged_long, i32 0, i32 0), align 8
  store i32 32, i32 addrspace(1)* %out, align 4
  ret void
}
