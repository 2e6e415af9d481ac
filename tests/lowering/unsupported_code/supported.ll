; OpenCL's functions, intrinsics, and constant sizes. What no kernel contains may be anything.
declare spir_func float @_Z3sinf(float)
declare spir_func i32 @printf(i8 addrspace(4)*, ...)
declare float @llvm.fabs.f32(float)
declare spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64, i32 addrspace(4)*)
define spir_kernel void @k(float %x, i8 addrspace(4)* %format, i32 addrspace(4)* %p) {
  %a = alloca [4 x i8]
  %b = call spir_func float @_Z3sinf(float %x)
  %c = call float @llvm.fabs.f32(float %b)
  %d = call spir_func i32 (i8 addrspace(4)*, ...) @printf(i8 addrspace(4)* %format, float %c)
  %e = call spir_func <4 x i32> @_Z6vload4mPU3AS4Ki(i64 0, i32 addrspace(4)* %p)
  ret void
}
define spir_func i128 @f(i128 %x) {
  ret i128 %x
}
; ==== unchanged
