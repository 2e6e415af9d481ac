; Of functions with a body. Nothing is simplified then.
declare spir_func float @_Z3sinf(float)
define spir_kernel void @k(float %x, float addrspace(1)* %out) {
  %variable = alloca float
  store float %x, float* %variable
  %same = load float, float* %variable
  %y = call spir_func float @_Z3sinf(float %same)
  store float %y, float addrspace(1)* %out
  ret void
}
; ==== unchanged
