; Conversions to integers saturate; those to narrow ones are cut from 32 bits, whoever made them.
define spir_kernel void @k(float %x, double %y, <2 x float> %z, i8 addrspace(1)* %narrow, i16 addrspace(1)* %short, i64 addrspace(1)* %wide, <2 x i32> addrspace(1)* %pair) {
  %a = fptoui float %x to i8
  store i8 %a, i8 addrspace(1)* %narrow
  %b = call i16 @llvm.fptosi.sat.i16.f64(double %y)
  store i16 %b, i16 addrspace(1)* %short
  %c = call i64 @llvm.fptoui.sat.i64.f64(double %y)
  store i64 %c, i64 addrspace(1)* %wide
  %d = fptosi <2 x float> %z to <2 x i32>
  store <2 x i32> %d, <2 x i32> addrspace(1)* %pair
  ret void
}
declare i16 @llvm.fptosi.sat.i16.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
; ==== after
define spir_kernel void @k(float %x, double %y, <2 x float> %z, i8 addrspace(1)* %narrow, i16 addrspace(1)* %short, i64 addrspace(1)* %wide, <2 x i32> addrspace(1)* %pair) {
  %1 = call i32 @llvm.fptoui.sat.i32.f32(float %x)
  %2 = trunc i32 %1 to i8
  store i8 %2, i8 addrspace(1)* %narrow, align 1
  %3 = call i32 @llvm.fptosi.sat.i32.f64(double %y)
  %4 = trunc i32 %3 to i16
  store i16 %4, i16 addrspace(1)* %short, align 2
  %5 = call i64 @llvm.fptoui.sat.i64.f64(double %y)
  store i64 %5, i64 addrspace(1)* %wide, align 8
  %6 = call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %z)
  store <2 x i32> %6, <2 x i32> addrspace(1)* %pair, align 8
  ret void
}
declare i16 @llvm.fptosi.sat.i16.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float>)
