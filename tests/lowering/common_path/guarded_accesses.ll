; All threads come to the meeting point; only those for which the condition holds load and store.
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %in, i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  %from = getelementptr i32, i32 addrspace(1)* %in, i64 %id
  %value = load i32, i32 addrspace(1)* %from
  call void @meet()
  %sum = add i32 %value, 1
  store i32 %sum, i32 addrspace(1)* %out
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
  %from = getelementptr i32, i32 addrspace(1)* %in, i64 %id
  br i1 %isFirst, label %load, label %loaded
load:
  %there = load i32, i32 addrspace(1)* %from
  br label %loaded
loaded:
  %value = phi i32 [ %there, %load ], [ 0, %some ]
  call void @meet()
  %sum = add i32 %value, 1
  br i1 %isFirst, label %store, label %stored
store:
  store i32 %sum, i32 addrspace(1)* %out
  br label %stored
stored:
  br label %end
end:
  ret void
}
