; Both ways are taken one after the other, by all threads.
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %one, label %other
one:
  call void @meet()
  br label %end
other:
  %alone = phi i32 [ 2, %entry ]
  call void @meet()
  br label %end
end:
  %result = phi i32 [ 1, %one ], [ %alone, %other ]
  store i32 %result, i32 addrspace(1)* %out
  ret void
}
; ==== after
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br label %one
one:
  call void @meet()
  %ofOne = select i1 %isFirst, i32 1, i32 undef
  br label %middle
other:
  %alone = phi i32 [ 2, %middle ]
  call void @meet()
  %chosen = select i1 %isNotFirst, i32 %alone, i32 %first
  br label %end
middle:
  %first = phi i32 [ %ofOne, %one ]
  %isNotFirst = xor i1 %isFirst, true
  br label %other
end:
  %result = phi i32 [ %chosen, %other ]
  store i32 %result, i32 addrspace(1)* %out
  ret void
}
