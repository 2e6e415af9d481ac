; The address of a local argument, which may be null, gets the tag 1. A load from what may be that is
; a switch over the tag.
define spir_kernel void @k(i32 addrspace(4)* %g, i32 addrspace(3)* %l, i1 %c, i32 addrspace(1)* %out) {
entry:
  %local = addrspacecast i32 addrspace(3)* %l to i32 addrspace(4)*
  %any = select i1 %c, i32 addrspace(4)* %g, i32 addrspace(4)* %local
  %x = load i32, i32 addrspace(4)* %any
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(4)* %g, i32 addrspace(3)* %l, i1 %c, i32 addrspace(1)* %out) {
entry:
  %address = ptrtoint i32 addrspace(3)* %l to i64
  %tagged = or i64 %address, 70368744177664
  %isNull = icmp eq i64 %address, 0
  %taggedOrNull = select i1 %isNull, i64 0, i64 %tagged
  %local = inttoptr i64 %taggedOrNull to i32 addrspace(4)*
  %any = select i1 %c, i32 addrspace(4)* %g, i32 addrspace(4)* %local
  %number = ptrtoint i32 addrspace(4)* %any to i64
  %shifted = lshr i64 %number, 46
  %tag = and i64 %shifted, 3
  %untagged = and i64 %number, -211106232532993
  switch i64 %tag, label %inGlobal [
    i64 1, label %inLocal
  ]
inGlobal:
  %global = addrspacecast i32 addrspace(4)* %any to i32 addrspace(1)*
  %fromGlobal = load i32, i32 addrspace(1)* %global
  br label %after
inLocal:
  %there = inttoptr i64 %untagged to i32 addrspace(3)*
  %fromLocal = load i32, i32 addrspace(3)* %there
  br label %after
after:
  %x = phi i32 [ %fromGlobal, %inGlobal ], [ %fromLocal, %inLocal ]
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
