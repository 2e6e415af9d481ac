define spir_kernel void @k(i32 addrspace(1)* %p, i64 %argument) {
  %n = ptrtoint i32 addrspace(1)* %p to i64
  %next = add i64 %n, 4
  %a = inttoptr i64 %next to i32 addrspace(4)*
  store i32 1, i32 addrspace(4)* %a
  %b = inttoptr i64 %argument to i32 addrspace(4)*
  store i32 2, i32 addrspace(4)* %b
  ret void
}
; ==== unchanged
