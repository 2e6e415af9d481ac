; The address space of a volatile access is inferred, too, and the access stays volatile.
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  store volatile i32 1, i32 addrspace(4)* %generic
  %x = load volatile i32, i32 addrspace(4)* %generic
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p) {
  store volatile i32 1, i32 addrspace(1)* %p
  %x = load volatile i32, i32 addrspace(1)* %p
  ret void
}
