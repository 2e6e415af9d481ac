define spir_kernel void @k(i32 addrspace(1)* %p) {
  %a = load i32, i32 addrspace(1)* %p, align 4
  %b = load volatile i32, i32 addrspace(1)* %p, align 4
  %c = add i32 %a, %b
  store i32 %c, i32 addrspace(1)* %p, align 4
  ret void
}
; ==== unchanged
