; Also in a group of fixed size that is no multiple of a sub-group.
declare spir_func i32 @_Z18get_sub_group_sizev()
define spir_kernel void @k(i32 addrspace(1)* %out) !reqd_work_group_size !0 {
  %size = call spir_func i32 @_Z18get_sub_group_sizev()
  store i32 %size, i32 addrspace(1)* %out
  ret void
}
!0 = !{i32 8, i32 5, i32 1}
; ==== after
declare spir_func i32 @_Z18get_sub_group_sizev()
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z19get_local_linear_idv()
define spir_kernel void @k(i32 addrspace(1)* %out) !reqd_work_group_size !0 {
  %wideX = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %x = trunc i64 %wideX to i32
  %ofX = mul i32 1, %x
  %wideY = call spir_func i64 @_Z14get_local_sizej(i32 1)
  %y = trunc i64 %wideY to i32
  %ofY = mul i32 %ofX, %y
  %wideZ = call spir_func i64 @_Z14get_local_sizej(i32 2)
  %z = trunc i64 %wideZ to i32
  %items = mul i32 %ofY, %z
  %wideItem = call spir_func i64 @_Z19get_local_linear_idv()
  %item = trunc i64 %wideItem to i32
  %lane = urem i32 %item, 32
  %first = sub i32 %item, %lane
  %rest = sub i32 %items, %first
  %isSmaller = icmp ult i32 %rest, 32
  %size = select i1 %isSmaller, i32 %rest, i32 32
  store i32 %size, i32 addrspace(1)* %out
  ret void
}
!0 = !{i32 8, i32 5, i32 1}
