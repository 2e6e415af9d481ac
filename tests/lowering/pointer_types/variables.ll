; Variables that hold generic pointers.
@table = internal addrspace(3) global [2 x i32 addrspace(4)*] undef, align 8
define spir_kernel void @k(i32 addrspace(4)* %p) {
  %first = getelementptr inbounds [2 x i32 addrspace(4)*], [2 x i32 addrspace(4)*] addrspace(3)* @table, i64 0, i64 1
  store i32 addrspace(4)* %p, i32 addrspace(4)* addrspace(3)* %first, align 8
  ret void
}
; ==== after
@table = internal addrspace(3) global [2 x i32 addrspace(1)*] undef, align 8
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %first = getelementptr inbounds [2 x i32 addrspace(1)*], [2 x i32 addrspace(1)*] addrspace(3)* @table, i64 0, i64 1
  store i32 addrspace(1)* %p, i32 addrspace(1)* addrspace(3)* %first, align 8
  ret void
}
