; Constants with the address of a variable or a cast between address spaces become instructions.
@shared = internal addrspace(3) global [4 x i32] undef
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %out) {
  store i32 addrspace(4)* addrspacecast (i32 addrspace(3)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(3)* @shared, i64 0, i64 1) to i32 addrspace(4)*), i32 addrspace(4)* addrspace(1)* %out
  store i32 addrspace(4)* addrspacecast (i32 addrspace(1)* null to i32 addrspace(4)*), i32 addrspace(4)* addrspace(1)* %out
  ret void
}
; ==== after
@shared = internal addrspace(3) global [4 x i32] undef
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %out) {
  %element = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @shared, i64 0, i64 1
  %generic = addrspacecast i32 addrspace(3)* %element to i32 addrspace(4)*
  store i32 addrspace(4)* %generic, i32 addrspace(4)* addrspace(1)* %out
  %null = addrspacecast i32 addrspace(1)* null to i32 addrspace(4)*
  store i32 addrspace(4)* %null, i32 addrspace(4)* addrspace(1)* %out
  ret void
}
