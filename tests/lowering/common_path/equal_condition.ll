; All threads of a block go the same way.
declare void @meet()
declare spir_func i64 @_Z12get_group_idj(i32)
define spir_kernel void @k(i32 %n, i32 addrspace(1)* %out) {
entry:
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %isFirst = icmp ult i64 %group, 8
  br i1 %isFirst, label %some, label %end
some:
  call void @meet()
  store i32 %n, i32 addrspace(1)* %out
  br label %end
end:
  ret void
}
; ==== unchanged
