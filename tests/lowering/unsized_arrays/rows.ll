; Dynamic shared memory of two dimensions: the first index has no bound.
define spir_kernel void @k([3 x i32] addrspace(3)* %rows, i64 %row, i64 %column) {
  %array = bitcast [3 x i32] addrspace(3)* %rows to [0 x [3 x i32]] addrspace(3)*
  %there = getelementptr [0 x [3 x i32]], [0 x [3 x i32]] addrspace(3)* %array, i64 0, i64 %row, i64 %column
  store i32 1, i32 addrspace(3)* %there
  ret void
}
; ==== after
define spir_kernel void @k([3 x i32] addrspace(3)* %rows, i64 %row, i64 %column) {
  %1 = bitcast [3 x i32] addrspace(3)* %rows to [0 x [3 x i32]] addrspace(3)*
  %2 = getelementptr [3 x i32], [3 x i32] addrspace(3)* %rows, i64 %row, i64 %column
  store i32 1, i32 addrspace(3)* %2, align 4
  ret void
}
