%s = type { i32 addrspace(1)* }
@shared = internal addrspace(3) global [2 x i32] undef, align 4
define spir_kernel void @k(%s* byval(%s) %object, i32 addrspace(2)* %c) {
  %x = load i32, i32 addrspace(2)* %c, align 4
  %place = getelementptr inbounds [2 x i32], [2 x i32] addrspace(3)* @shared, i64 0, i64 1
  store i32 %x, i32 addrspace(3)* %place, align 4
  ret void
}
; ==== unchanged
