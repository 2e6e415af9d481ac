; What computes with an address becomes instructions; offsets and casts stay.
@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define spir_kernel void @k(i64 addrspace(1)* %out) {
  store i64 lshr (i64 ptrtoint ([4 x i32] addrspace(2)* @table to i64), i64 2), i64 addrspace(1)* %out
  store i64 ptrtoint (i32 addrspace(2)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(2)* @table, i64 0, i64 2) to i64), i64 addrspace(1)* %out
  ret void
}
; ==== after
@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define spir_kernel void @k(i64 addrspace(1)* %out) {
  %word = lshr i64 ptrtoint ([4 x i32] addrspace(2)* @table to i64), 2
  store i64 %word, i64 addrspace(1)* %out
  store i64 ptrtoint (i32 addrspace(2)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(2)* @table, i64 0, i64 2) to i64), i64 addrspace(1)* %out
  ret void
}
