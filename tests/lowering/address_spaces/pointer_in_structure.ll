; A structure holds the address of local memory on one way and a pointer from memory on the other: its
; pointer stays generic.
define spir_kernel void @k({ i32 addrspace(4)*, i32 } addrspace(1)* %p, i32 addrspace(3)* %l, i1 %c) {
  %local = addrspacecast i32 addrspace(3)* %l to i32 addrspace(4)*
  %loaded = load { i32 addrspace(4)*, i32 }, { i32 addrspace(4)*, i32 } addrspace(1)* %p, align 8
  %changed = insertvalue { i32 addrspace(4)*, i32 } %loaded, i32 addrspace(4)* %local, 0
  %any = select i1 %c, { i32 addrspace(4)*, i32 } %changed, { i32 addrspace(4)*, i32 } %loaded
  %there = extractvalue { i32 addrspace(4)*, i32 } %any, 0
  store i32 1, i32 addrspace(4)* %there, align 4
  ret void
}
; ==== unchanged
