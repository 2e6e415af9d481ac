; An array with a size keeps its bound, and the address of an array itself has no index in it.
define spir_kernel void @k([3 x i32] addrspace(3)* %rows, [0 x i32] addrspace(3)* %array, i64 %i) {
  %there = getelementptr [3 x i32], [3 x i32] addrspace(3)* %rows, i64 0, i64 %i
  store i32 1, i32 addrspace(3)* %there
  %other = getelementptr [0 x i32], [0 x i32] addrspace(3)* %array, i64 %i
  ret void
}
; ==== unchanged
