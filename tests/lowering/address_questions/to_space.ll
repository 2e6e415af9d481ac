; The address without its tag if the tag is that of the address space, else null.
declare spir_func i8 addrspace(1)* @__to_global(i8 addrspace(4)*)
declare spir_func i8 addrspace(3)* @__to_local(i8 addrspace(4)*)
declare spir_func i8* @__to_private(i8 addrspace(4)*)
define spir_kernel void @k(i8 addrspace(4)* %p) {
  %g = call spir_func i8 addrspace(1)* @__to_global(i8 addrspace(4)* %p)
  store i8 1, i8 addrspace(1)* %g
  %l = call spir_func i8 addrspace(3)* @__to_local(i8 addrspace(4)* %p)
  store i8 1, i8 addrspace(3)* %l
  %v = call spir_func i8* @__to_private(i8 addrspace(4)* %p)
  store i8 1, i8* %v
  ret void
}
; ==== after
define spir_kernel void @k(i8 addrspace(4)* %p) {
  %n1 = ptrtoint i8 addrspace(4)* %p to i64
  %s1 = lshr i64 %n1, 46
  %t1 = and i64 %s1, 3
  %u1 = and i64 %n1, -211106232532993
  %a1 = inttoptr i64 %u1 to i8 addrspace(1)*
  %is1 = icmp eq i64 %t1, 0
  %g = select i1 %is1, i8 addrspace(1)* %a1, i8 addrspace(1)* null
  store i8 1, i8 addrspace(1)* %g
  %n2 = ptrtoint i8 addrspace(4)* %p to i64
  %s2 = lshr i64 %n2, 46
  %t2 = and i64 %s2, 3
  %u2 = and i64 %n2, -211106232532993
  %a2 = inttoptr i64 %u2 to i8 addrspace(3)*
  %is2 = icmp eq i64 %t2, 1
  %l = select i1 %is2, i8 addrspace(3)* %a2, i8 addrspace(3)* null
  store i8 1, i8 addrspace(3)* %l
  %n3 = ptrtoint i8 addrspace(4)* %p to i64
  %s3 = lshr i64 %n3, 46
  %t3 = and i64 %s3, 3
  %u3 = and i64 %n3, -211106232532993
  %a3 = inttoptr i64 %u3 to i8*
  %is3 = icmp eq i64 %t3, 2
  %v = select i1 %is3, i8* %a3, i8* null
  store i8 1, i8* %v
  ret void
}
