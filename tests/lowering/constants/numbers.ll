; Numbers, and variables without arithmetic, which are replaced as they are.
@a = internal addrspace(3) global i32 undef
define spir_kernel void @k({ i64, i32 } addrspace(1)* %out) {
  store { i64, i32 } { i64 7, i32 8 }, { i64, i32 } addrspace(1)* %out
  store i32 1, i32 addrspace(3)* @a
  ret void
}
; ==== unchanged
