; A function that the program asks not to optimise (`-cl-opt-disable`).
define spir_kernel void @k(float addrspace(1)* %out) noinline optnone {
  %x = alloca [2 x float]
  %first = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 0
  store float 1.0, float* %first
  %value = load float, float* %first
  store float %value, float addrspace(1)* %out
  ret void
}
; ==== unchanged
