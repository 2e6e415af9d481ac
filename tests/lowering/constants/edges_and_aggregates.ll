; One value for all entries of an edge of a phi, at the end of the block where it comes from; a
; structure is put together from its constant part on.
@a = internal addrspace(3) global i32 undef
define spir_kernel void @k(i32 %n, { i64, i32 addrspace(4)* } addrspace(1)* %out, i32 addrspace(4)* %p) {
entry:
  %m = add i32 %n, 1
  switch i32 %m, label %other [
    i32 1, label %end
    i32 2, label %end
  ]
other:
  br label %end
end:
  %address = phi i32 addrspace(4)* [ addrspacecast (i32 addrspace(3)* @a to i32 addrspace(4)*), %entry ], [ addrspacecast (i32 addrspace(3)* @a to i32 addrspace(4)*), %entry ], [ %p, %other ]
  store { i64, i32 addrspace(4)* } { i64 7, i32 addrspace(4)* addrspacecast (i32 addrspace(3)* @a to i32 addrspace(4)*) }, { i64, i32 addrspace(4)* } addrspace(1)* %out
  ret void
}
; ==== after
@a = internal addrspace(3) global i32 undef
define spir_kernel void @k(i32 %n, { i64, i32 addrspace(4)* } addrspace(1)* %out, i32 addrspace(4)* %p) {
entry:
  %m = add i32 %n, 1
  %ofEdge = addrspacecast i32 addrspace(3)* @a to i32 addrspace(4)*
  switch i32 %m, label %other [
    i32 1, label %end
    i32 2, label %end
  ]
other:
  br label %end
end:
  %address = phi i32 addrspace(4)* [ %ofEdge, %entry ], [ %ofEdge, %entry ], [ %p, %other ]
  %member = addrspacecast i32 addrspace(3)* @a to i32 addrspace(4)*
  %whole = insertvalue { i64, i32 addrspace(4)* } { i64 7, i32 addrspace(4)* undef }, i32 addrspace(4)* %member, 1
  store { i64, i32 addrspace(4)* } %whole, { i64, i32 addrspace(4)* } addrspace(1)* %out
  ret void
}
