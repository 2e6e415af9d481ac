; Each thread sets its bit in its warp's word; a mask that is not 0 selects bits of the result.
declare i32 @__aiwc_ballot(i32, i32)
define spir_kernel void @k(i32 %vote, i32 %mask, i32 addrspace(1)* %out) {
  %all = call i32 @__aiwc_ballot(i32 %vote, i32 %mask)
  store i32 %all, i32 addrspace(1)* %out
  ret void
}
; ==== after
@warp_votes = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @__aiwc_ballot(i32, i32)
define spir_kernel void @k(i32 %vote, i32 %mask, i32 addrspace(1)* %out) {
  %thread = call spir_func i64 @_Z19get_local_linear_idv()
  %warp = lshr i64 %thread, 5
  %word = getelementptr inbounds [32 x i32], [32 x i32] addrspace(3)* @warp_votes, i64 0, i64 %warp
  store i32 0, i32 addrspace(3)* %word, align 4
  call spir_func void @_Z7barrierj(i32 3)
  %isYes = icmp ne i32 %vote, 0
  %lane = and i64 %thread, 31
  %shift = trunc i64 %lane to i32
  %bit = shl i32 1, %shift
  %set = select i1 %isYes, i32 %bit, i32 0
  %before = atomicrmw or i32 addrspace(3)* %word, i32 %set monotonic, align 4
  call spir_func void @_Z7barrierj(i32 3)
  %bits = load i32, i32 addrspace(3)* %word, align 4
  call spir_func void @_Z7barrierj(i32 3)
  %isWhole = icmp eq i32 %mask, 0
  %masked = and i32 %bits, %mask
  %all = select i1 %isWhole, i32 %bits, i32 %masked
  store i32 %all, i32 addrspace(1)* %out
  ret void
}
declare spir_func i64 @_Z19get_local_linear_idv() #0
declare spir_func void @_Z7barrierj(i32) #0
attributes #0 = { convergent nounwind }
