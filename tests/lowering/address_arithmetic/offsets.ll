@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %x = load i32, i32 addrspace(2)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(2)* @table, i64 0, i64 2)
  %y = load i8, i8 addrspace(2)* bitcast ([4 x i32] addrspace(2)* @table to i8 addrspace(2)*)
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
; ==== unchanged
