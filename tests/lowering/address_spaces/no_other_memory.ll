; Without addresses of local or private memory that become generic, pointers from memory need no
; more: they become global with all others (pointer_types).
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %p) {
  %loaded = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %p, align 8
  store i32 1, i32 addrspace(4)* %loaded, align 4
  ret void
}
; ==== unchanged
