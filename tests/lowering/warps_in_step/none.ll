; Accesses of volatile memory that only one thread sees, or all of the grid, and accesses of shared
; memory that is not volatile, are no exchange between threads of a warp; nor is one access.
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out, i32 addrspace(3)* %shared, i32* %private) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  store volatile i32 1, i32 addrspace(1)* %out
  %number = load volatile i32, i32 addrspace(1)* %out
  store i32 %number, i32 addrspace(3)* %shared
  %own = load i32, i32 addrspace(3)* %shared
  store volatile i32 %own, i32* %private
  %last = load volatile i32, i32* %private
  store i32 %last, i32 addrspace(1)* %out
  br label %end
end:
  ret void
}
; ==== unchanged
