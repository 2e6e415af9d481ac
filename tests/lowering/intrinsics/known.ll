; The simulator has these.
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.umax.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare void @llvm.memcpy.p1i8.p1i8.i64(i8 addrspace(1)*, i8 addrspace(1)*, i64, i1)
define spir_kernel void @k(float %a, i32 %n, i8 addrspace(1)* %p) {
  %1 = call float @llvm.sqrt.f32(float %a)
  %2 = call i32 @llvm.umax.i32(i32 %n, i32 1)
  %3 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %n, i32 1)
  call void @llvm.memcpy.p1i8.p1i8.i64(i8 addrspace(1)* %p, i8 addrspace(1)* %p, i64 4, i1 false)
  ret void
}
; ==== unchanged
