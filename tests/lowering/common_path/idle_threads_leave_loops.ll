; A thread that only comes along leaves the loop on the way at the first condition that differs.
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  br i1 %again, label %loop, label %point
point:
  call void @meet()
  br label %end
end:
  ret void
}
; ==== after
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  %againOfFirst = and i1 %again, %isFirst
  br i1 %againOfFirst, label %loop, label %point
point:
  call void @meet()
  br label %end
end:
  ret void
}
