; Kernels and arguments are called as in the source, two kernels of a name with their parameters. An
; object that clang passes by its address is copied.
%struct.S = type { i32, i32 }
define spir_kernel void @_Z3addIfEvPfS_(float addrspace(1)* %a.coerce, float addrspace(1)* %b) {
  ret void
}
define spir_kernel void @_Z3addi(i32 %n) {
  ret void
}
define spir_kernel void @_Z3addf(float %x) {
  ret void
}
define spir_kernel void @f(%struct.S* %s) {
  ret void
}
; ==== after
%struct.S = type { i32, i32 }
define spir_kernel void @"add<float>"(float addrspace(1)* %a, float addrspace(1)* %b) {
  ret void
}
define spir_kernel void @add(i32 %n) {
  ret void
}
define spir_kernel void @"add(float)"(float %x) {
  ret void
}
define spir_kernel void @f(%struct.S* byval(%struct.S) %s) {
  ret void
}
