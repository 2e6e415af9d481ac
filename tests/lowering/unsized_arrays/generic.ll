; The address of an element as a generic pointer: the cast to another address space stays.
define spir_kernel void @k([3 x i32] addrspace(3)* %rows, i64 %row, i64 %column) {
  %array = bitcast [3 x i32] addrspace(3)* %rows to [0 x [3 x i32]] addrspace(3)*
  %generic = addrspacecast [0 x [3 x i32]] addrspace(3)* %array to [0 x [3 x i32]] addrspace(4)*
  %there = getelementptr [0 x [3 x i32]], [0 x [3 x i32]] addrspace(4)* %generic, i64 0, i64 %row, i64 %column
  store i32 1, i32 addrspace(4)* %there
  ret void
}
; ==== after
define spir_kernel void @k([3 x i32] addrspace(3)* %rows, i64 %row, i64 %column) {
  %1 = bitcast [3 x i32] addrspace(3)* %rows to [0 x [3 x i32]] addrspace(3)*
  %2 = addrspacecast [0 x [3 x i32]] addrspace(3)* %1 to [0 x [3 x i32]] addrspace(4)*
  %3 = bitcast [0 x [3 x i32]] addrspace(4)* %2 to [3 x i32] addrspace(4)*
  %4 = getelementptr [3 x i32], [3 x i32] addrspace(4)* %3, i64 %row, i64 %column
  store i32 1, i32 addrspace(4)* %4, align 4
  ret void
}
