; All threads come to the barriers of the exchange (common_path).
declare void @__aiwc_warp_barrier(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  call void @__aiwc_warp_barrier(i32 -1)
  store i32 1, i32 addrspace(1)* %out
  br label %end
end:
  ret void
}
; ==== after
declare void @__aiwc_warp_barrier(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32) #0
define spir_kernel void @k(i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br label %some
some:
  call spir_func void @_Z7barrierj(i32 3)
  br i1 %isFirst, label %store, label %stored
store:
  store i32 1, i32 addrspace(1)* %out
  br label %stored
stored:
  br label %end
end:
  ret void
}
attributes #0 = { convergent nounwind }
