; Literals are read as OpenCL's constants, and need no buffer.
@literal = internal addrspace(2) constant [2 x i32] [i32 1, i32 2], align 4
define spir_kernel void @k(i32 addrspace(1)* %out, i64 %i) {
  %place = getelementptr inbounds [2 x i32], [2 x i32] addrspace(2)* @literal, i64 0, i64 %i
  %x = load i32, i32 addrspace(2)* %place
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
; ==== unchanged
