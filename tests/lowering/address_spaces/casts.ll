; The address space of each access follows from where its pointer comes from.
define spir_kernel void @k(i32 addrspace(1)* %p, i1 %c, i64 %i) {
  %a = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %b = getelementptr inbounds i32, i32 addrspace(4)* %a, i64 %i
  %d = select i1 %c, i32 addrspace(4)* %a, i32 addrspace(4)* %b
  store i32 1, i32 addrspace(4)* %d
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p, i1 %c, i64 %i) {
  %b = getelementptr inbounds i32, i32 addrspace(1)* %p, i64 %i
  %d = select i1 %c, i32 addrspace(1)* %p, i32 addrspace(1)* %b
  store i32 1, i32 addrspace(1)* %d
  ret void
}
