; Volatile stores to global memory and other stores to shared memory exchange nothing between threads
; of a warp.
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out, i32 addrspace(3)* %shared, i32* %private) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %isFirst = icmp ult i64 %id, 8
  br i1 %isFirst, label %some, label %end
some:
  store volatile i32 1, i32 addrspace(1)* %out
  store i32 1, i32 addrspace(3)* %shared
  store volatile i32 1, i32* %private
  br label %end
end:
  ret void
}
; ==== unchanged
