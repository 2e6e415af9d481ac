; Functions that access vectors: by the name for the address space that the code tells.
declare spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64, i32 addrspace(4)*)
declare spir_func void @_Z7vstore2Dv2_fmPU3AS4f(<2 x float>, i64, float addrspace(4)*)
define spir_kernel void @k(i32 addrspace(1)* %p, <4 x i32> addrspace(1)* %out, <2 x float> %v) {
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %next = getelementptr inbounds i32, i32 addrspace(4)* %generic, i64 4
  %a = call spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64 1, i32 addrspace(4)* %next)
  store <4 x i32> %a, <4 x i32> addrspace(1)* %out
  %variable = alloca float
  %address = addrspacecast float* %variable to float addrspace(4)*
  call spir_func void @_Z7vstore2Dv2_fmPU3AS4f(<2 x float> %v, i64 0, float addrspace(4)* %address)
  ret void
}
; ==== after
declare spir_func <4 x i32> @_Z6vload4mPU3AS1Ki(i64, i32 addrspace(1)*)
declare spir_func void @_Z7vstore2Dv2_fmPf(<2 x float>, i64, float*)
declare spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64, i32 addrspace(4)*)
declare spir_func void @_Z7vstore2Dv2_fmPU3AS4f(<2 x float>, i64, float addrspace(4)*)
define spir_kernel void @k(i32 addrspace(1)* %p, <4 x i32> addrspace(1)* %out, <2 x float> %v) {
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %next = getelementptr inbounds i32, i32 addrspace(4)* %generic, i64 4
  %there = getelementptr inbounds i32, i32 addrspace(1)* %p, i64 4
  %a = call spir_func <4 x i32> @_Z6vload4mPU3AS1Ki(i64 1, i32 addrspace(1)* %there)
  store <4 x i32> %a, <4 x i32> addrspace(1)* %out
  %variable = alloca float
  %address = addrspacecast float* %variable to float addrspace(4)*
  call spir_func void @_Z7vstore2Dv2_fmPf(<2 x float> %v, i64 0, float* %variable)
  ret void
}
