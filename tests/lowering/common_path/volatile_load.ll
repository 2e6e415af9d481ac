; A volatile load is executed by the threads for which the condition holds only, although all would
; load from the same address.
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %in, i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  %value = load volatile i32, i32 addrspace(1)* %in
  call void @meet()
  br label %end
end:
  ret void
}
; ==== after
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %in, i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br label %some
some:
  br i1 %isFirst, label %load, label %loaded
load:
  %value = load volatile i32, i32 addrspace(1)* %in
  br label %loaded
loaded:
  call void @meet()
  br label %end
end:
  ret void
}
