; The second result goes to a variable, and from there to where the caller wants it; a variable of the
; caller's is used as it is.
declare spir_func float @_Z5fractfPU3AS4f(float, float addrspace(4)*)
define spir_kernel void @k(float %x, float addrspace(4)* %there, float addrspace(1)* %out) {
  %variable = alloca float
  %generic = addrspacecast float* %variable to float addrspace(4)*
  %a = call spir_func float @_Z5fractfPU3AS4f(float %x, float addrspace(4)* %there)
  %b = call spir_func float @_Z5fractfPU3AS4f(float %a, float addrspace(4)* %generic)
  store float %b, float addrspace(1)* %out
  ret void
}
; ==== after
declare spir_func float @_Z5fractfPU3AS4f(float, float*)
define spir_kernel void @k(float %x, float addrspace(4)* %there, float addrspace(1)* %out) {
  %result = alloca float, align 4
  %variable = alloca float
  %generic = addrspacecast float* %variable to float addrspace(4)*
  %a = call spir_func float @_Z5fractfPU3AS4f(float %x, float* %result)
  %second = load float, float* %result, align 4
  store float %second, float addrspace(4)* %there, align 4
  %b = call spir_func float @_Z5fractfPU3AS4f(float %a, float* %variable)
  store float %b, float addrspace(1)* %out
  ret void
}
