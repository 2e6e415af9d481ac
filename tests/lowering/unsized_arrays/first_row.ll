; An index behind a pointer to the first element of a table; the index of a row that is known in another way keeps its bound.
@k.table = internal addrspace(3) global [8 x [4 x i32]] undef
define spir_kernel void @k(i64 %row, i64 %i) {
  %there = getelementptr [8 x [4 x i32]], [8 x [4 x i32]] addrspace(3)* @k.table, i64 0, i64 0, i64 %i
  store i32 1, i32 addrspace(3)* %there
  %other = getelementptr [8 x [4 x i32]], [8 x [4 x i32]] addrspace(3)* @k.table, i64 0, i64 %row, i64 %i
  store i32 2, i32 addrspace(3)* %other
  ret void
}
; ==== after
@k.table = internal addrspace(3) global [8 x [4 x i32]] undef
define spir_kernel void @k(i64 %row, i64 %i) {
  %1 = getelementptr i32, i32 addrspace(3)* getelementptr inbounds ([8 x [4 x i32]], [8 x [4 x i32]] addrspace(3)* @k.table, i32 0, i32 0, i32 0), i64 %i
  store i32 1, i32 addrspace(3)* %1, align 4
  %2 = getelementptr [8 x [4 x i32]], [8 x [4 x i32]] addrspace(3)* @k.table, i64 0, i64 %row, i64 %i
  store i32 2, i32 addrspace(3)* %2, align 4
  ret void
}
