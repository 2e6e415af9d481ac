; A load from an address that all threads have, a load from a variable, a barrier and arithmetic need
; no condition; the value that arrives at the end does.
declare void @meet()
declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %in, i32 addrspace(1)* %out) {
entry:
  %variable = alloca i32
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  %a = load i32, i32 addrspace(1)* %in
  %b = load i32, i32* %variable
  call spir_func void @_Z7barrierj(i32 1)
  call void @meet()
  %sum = add i32 %a, %b
  br label %end
end:
  %result = phi i32 [ 7, %entry ], [ %sum, %some ]
  store i32 %result, i32 addrspace(1)* %out
  ret void
}
; ==== after
declare void @meet()
declare spir_func void @_Z7barrierj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %in, i32 addrspace(1)* %out) {
entry:
  %variable = alloca i32
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br label %some
some:
  %a = load i32, i32 addrspace(1)* %in
  %b = load i32, i32* %variable
  call spir_func void @_Z7barrierj(i32 1)
  call void @meet()
  %sum = add i32 %a, %b
  %chosen = select i1 %isFirst, i32 %sum, i32 7
  br label %end
end:
  %result = phi i32 [ %chosen, %some ]
  store i32 %result, i32 addrspace(1)* %out
  ret void
}
