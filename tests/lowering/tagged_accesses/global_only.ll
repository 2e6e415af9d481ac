; Generic pointers that lead to global memory only.
define spir_kernel void @k(i32 addrspace(4)* %p, i32 addrspace(1)* %g) {
  %generic = addrspacecast i32 addrspace(1)* %g to i32 addrspace(4)*
  %x = load i32, i32 addrspace(4)* %generic
  store i32 %x, i32 addrspace(4)* %p
  ret void
}
; ==== unchanged
