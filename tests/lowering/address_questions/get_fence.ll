; CLK_LOCAL_MEM_FENCE, 1, for local memory; CLK_GLOBAL_MEM_FENCE, 2, for all other.
declare spir_func i32 @_Z9get_fencePU3AS4v(i8 addrspace(4)*)
define spir_kernel void @k(i8 addrspace(4)* %p, i32 addrspace(1)* %out) {
  %fence = call spir_func i32 @_Z9get_fencePU3AS4v(i8 addrspace(4)* %p)
  store i32 %fence, i32 addrspace(1)* %out
  ret void
}
; ==== after
define spir_kernel void @k(i8 addrspace(4)* %p, i32 addrspace(1)* %out) {
  %number = ptrtoint i8 addrspace(4)* %p to i64
  %shifted = lshr i64 %number, 46
  %tag = and i64 %shifted, 3
  %isLocal = icmp eq i64 %tag, 1
  %fence = select i1 %isLocal, i32 1, i32 2
  store i32 %fence, i32 addrspace(1)* %out
  ret void
}
