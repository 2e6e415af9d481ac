; Each thread stores its value; behind a barrier it loads that of the lane of its own warp.
declare i32 @__aiwc_shuffle32(i32, i32)
define spir_kernel void @k(i32 %value, i32 %lane, i32 addrspace(1)* %out) {
  %other = call i32 @__aiwc_shuffle32(i32 %value, i32 %lane)
  store i32 %other, i32 addrspace(1)* %out
  ret void
}
; ==== after
@warp_values = internal addrspace(3) global [1024 x i32] undef, align 4
declare i32 @__aiwc_shuffle32(i32, i32)
define spir_kernel void @k(i32 %value, i32 %lane, i32 addrspace(1)* %out) {
  %thread = call spir_func i64 @_Z19get_local_linear_idv()
  %own = getelementptr inbounds [1024 x i32], [1024 x i32] addrspace(3)* @warp_values, i64 0, i64 %thread
  store i32 %value, i32 addrspace(3)* %own, align 4
  call spir_func void @_Z7barrierj(i32 3)
  %wide = zext i32 %lane to i64
  %warp = and i64 %thread, 992
  %inWarp = and i64 %wide, 31
  %source = or i64 %warp, %inWarp
  %there = getelementptr inbounds [1024 x i32], [1024 x i32] addrspace(3)* @warp_values, i64 0, i64 %source
  %other = load i32, i32 addrspace(3)* %there, align 4
  call spir_func void @_Z7barrierj(i32 3)
  store i32 %other, i32 addrspace(1)* %out
  ret void
}
declare spir_func i64 @_Z19get_local_linear_idv() #0
declare spir_func void @_Z7barrierj(i32) #0
attributes #0 = { convergent nounwind }
