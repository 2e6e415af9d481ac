; A cast from the generic address space takes the tag away; global addresses have none.
define spir_kernel void @k(i32 addrspace(4)* %p, i32 addrspace(1)* %g) {
  %local = addrspacecast i32 addrspace(4)* %p to i32 addrspace(3)*
  store i32 1, i32 addrspace(3)* %local
  %global = addrspacecast i32 addrspace(4)* %p to i32 addrspace(1)*
  store i32 2, i32 addrspace(1)* %global
  %generic = addrspacecast i32 addrspace(1)* %g to i32 addrspace(4)*
  store i32 3, i32 addrspace(4)* %generic
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(4)* %p, i32 addrspace(1)* %g) {
  %number = ptrtoint i32 addrspace(4)* %p to i64
  %untagged = and i64 %number, -211106232532993
  %local = inttoptr i64 %untagged to i32 addrspace(3)*
  store i32 1, i32 addrspace(3)* %local
  %global = addrspacecast i32 addrspace(4)* %p to i32 addrspace(1)*
  store i32 2, i32 addrspace(1)* %global
  %generic = addrspacecast i32 addrspace(1)* %g to i32 addrspace(4)*
  store i32 3, i32 addrspace(4)* %generic
  ret void
}
