; The address of a variable is never null: its tag, 2, is put in without a question.
define spir_kernel void @k(i32 addrspace(4)* %g, i1 %c) {
entry:
  %variable = alloca i32
  %private = addrspacecast i32* %variable to i32 addrspace(4)*
  %any = select i1 %c, i32 addrspace(4)* %g, i32 addrspace(4)* %private
  store volatile i32 1, i32 addrspace(4)* %any
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(4)* %g, i1 %c) {
entry:
  %variable = alloca i32
  %address = ptrtoint i32* %variable to i64
  %tagged = or i64 %address, 140737488355328
  %private = inttoptr i64 %tagged to i32 addrspace(4)*
  %any = select i1 %c, i32 addrspace(4)* %g, i32 addrspace(4)* %private
  %number = ptrtoint i32 addrspace(4)* %any to i64
  %shifted = lshr i64 %number, 46
  %tag = and i64 %shifted, 3
  %untagged = and i64 %number, -211106232532993
  switch i64 %tag, label %inGlobal [
    i64 2, label %inPrivate
  ]
inGlobal:
  %global = addrspacecast i32 addrspace(4)* %any to i32 addrspace(1)*
  store volatile i32 1, i32 addrspace(1)* %global
  br label %after
inPrivate:
  %there = inttoptr i64 %untagged to i32*
  store volatile i32 1, i32* %there
  br label %after
after:
  ret void
}
