; The condition differs, but the way has no meeting point; that is behind it.
declare void @meet()
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 %n, i32 addrspace(1)* %out) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  store i32 %n, i32 addrspace(1)* %out
  br label %end
end:
  call void @meet()
  ret void
}
; ==== unchanged
