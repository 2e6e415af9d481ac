; Variables of the program, constants whose values have addresses, shared memory.
@variable = addrspace(1) global i32 5, align 4
@table = addrspace(1) constant i32 addrspace(1)* @variable
@shared = internal addrspace(3) global [4 x i32] undef
define spir_kernel void @k() {
  %x = load i32, i32 addrspace(1)* @variable
  %y = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* @table
  store i32 %x, i32 addrspace(3)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(3)* @shared, i64 0, i64 0)
  ret void
}
; ==== unchanged
