; Nothing tells the address space.
declare spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64, i32 addrspace(4)*)
define spir_kernel void @k(i32 addrspace(4)* addrspace(1)* %p, <4 x i32> addrspace(1)* %out) {
  %there = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %p
  %a = call spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64 1, i32 addrspace(4)* %there)
  store <4 x i32> %a, <4 x i32> addrspace(1)* %out
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the function vload4 with a pointer, which the simulator has not
