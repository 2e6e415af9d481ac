; As clang gives them in OpenCL C.
@k.tile = internal addrspace(3) global [4 x i32] undef, align 16
@unused = internal addrspace(3) global [4 x i32] undef, align 16
define spir_kernel void @k(i32 %n) {
  store i32 %n, i32 addrspace(3)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(3)* @k.tile, i64 0, i64 2)
  ret void
}
; ==== unchanged
