; A pointer from memory is one to global memory, since no address of the variable gets there. What may
; be either stays generic.
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %p, i1 %c, i64 %i) {
  %variable = alloca [4 x i32]
  %element = getelementptr inbounds [4 x i32], [4 x i32]* %variable, i64 0, i64 %i
  %private = addrspacecast i32* %element to i32 addrspace(4)*
  %loaded = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %p
  store i32 1, i32 addrspace(4)* %loaded
  %any = select i1 %c, i32 addrspace(4)* %private, i32 addrspace(4)* %loaded
  store i32 2, i32 addrspace(4)* %any
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %p, i1 %c, i64 %i) {
  %variable = alloca [4 x i32], align 4
  %element = getelementptr inbounds [4 x i32], [4 x i32]* %variable, i64 0, i64 %i
  %private = addrspacecast i32* %element to i32 addrspace(4)*
  %loaded = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %p, align 8
  %global = addrspacecast i32 addrspace(4)* %loaded to i32 addrspace(1)*
  %generic = addrspacecast i32 addrspace(1)* %global to i32 addrspace(4)*
  store i32 1, i32 addrspace(1)* %global, align 4
  %any = select i1 %c, i32 addrspace(4)* %private, i32 addrspace(4)* %generic
  store i32 2, i32 addrspace(4)* %any, align 4
  ret void
}
