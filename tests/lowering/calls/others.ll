; Without generic pointers; questions about generic pointers are answered later.
declare spir_func float @_Z3sinf(float)
declare spir_func float @_Z5fractfPf(float, float*)
declare spir_func i8 addrspace(3)* @__to_local(i8 addrspace(4)*)
define spir_kernel void @k(float %x, i8 addrspace(4)* %p) {
  %variable = alloca float
  %a = call spir_func float @_Z3sinf(float %x)
  %b = call spir_func float @_Z5fractfPf(float %a, float* %variable)
  %c = call spir_func i8 addrspace(3)* @__to_local(i8 addrspace(4)* %p)
  ret void
}
; ==== unchanged
