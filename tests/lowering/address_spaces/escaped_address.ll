; The address of local memory is in memory: each pointer from there may be it.
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %p, i32 addrspace(3)* %l) {
  %local = addrspacecast i32 addrspace(3)* %l to i32 addrspace(4)*
  store i32 addrspace(4)* %local, i32 addrspace(4)* addrspace(1)* %p, align 8
  %next = getelementptr inbounds i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %p, i64 1
  %loaded = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %next, align 8
  store i32 1, i32 addrspace(4)* %loaded, align 4
  ret void
}
; ==== unchanged
