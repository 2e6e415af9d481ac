; Loops that are unrolled already: the array is in registers.
define spir_kernel void @k(float addrspace(1)* %out) {
  %x = alloca [2 x float]
  %first = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 0
  %a = load float, float addrspace(1)* %out
  store float %a, float* %first
  %b = load float, float* %first
  %sum = fadd float %b, 1.0
  store float %sum, float addrspace(1)* %out
  ret void
}
; ==== after
define spir_kernel void @k(float addrspace(1)* %out) {
  %1 = load float, float addrspace(1)* %out, align 4
  %2 = fadd float %1, 1.000000e+00
  store float %2, float addrspace(1)* %out, align 4
  ret void
}
