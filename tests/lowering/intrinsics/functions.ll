; OpenCL's functions, by the mangled names of their types.
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.pow.f64(double, double)
declare float @llvm.powi.f32.i32(float, i32)
declare float @llvm.maximum.f32(float, float)
declare double @llvm.roundeven.f64(double)
define spir_kernel void @k(float %a, double %b, i32 %n, float addrspace(1)* %p, double addrspace(1)* %q) {
  %1 = call float @llvm.fma.f32(float %a, float %a, float %a)
  store float %1, float addrspace(1)* %p
  %2 = call double @llvm.pow.f64(double %b, double %b)
  store double %2, double addrspace(1)* %q
  %3 = call float @llvm.powi.f32.i32(float %a, i32 %n)
  store float %3, float addrspace(1)* %p
  %4 = call float @llvm.maximum.f32(float %a, float %a)
  store float %4, float addrspace(1)* %p
  %5 = call double @llvm.roundeven.f64(double %b)
  store double %5, double addrspace(1)* %q
  ret void
}
; ==== after
declare spir_func float @_Z3fmafff(float, float, float)
declare spir_func double @_Z3powdd(double, double)
declare spir_func float @_Z4pownfi(float, i32)
declare spir_func float @_Z4fmaxff(float, float)
declare spir_func double @_Z4rintd(double)
define spir_kernel void @k(float %a, double %b, i32 %n, float addrspace(1)* %p, double addrspace(1)* %q) {
  %1 = call spir_func float @_Z3fmafff(float %a, float %a, float %a)
  store float %1, float addrspace(1)* %p
  %2 = call spir_func double @_Z3powdd(double %b, double %b)
  store double %2, double addrspace(1)* %q
  %3 = call spir_func float @_Z4pownfi(float %a, i32 %n)
  store float %3, float addrspace(1)* %p
  %4 = call spir_func float @_Z4fmaxff(float %a, float %a)
  store float %4, float addrspace(1)* %p
  %5 = call spir_func double @_Z4rintd(double %b)
  store double %5, double addrspace(1)* %q
  ret void
}
