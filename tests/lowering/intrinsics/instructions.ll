; Instructions, constants, first arguments; hints to the compiler go.
declare i64 @llvm.llround.i64.f32(float)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.objectsize.i64.p1i8(i8 addrspace(1)*, i1, i1, i1)
declare i32 @llvm.expect.i32(i32, i32)
declare void @llvm.assume(i1)
declare void @llvm.debugtrap()
define spir_kernel void @k(float %a, i32 %n, i8 addrspace(1)* %b, i64 addrspace(1)* %p, i1 addrspace(1)* %q, i32 addrspace(1)* %r, i1 %c) {
  call void @llvm.assume(i1 %c)
  %1 = call i64 @llvm.llround.i64.f32(float %a)
  store i64 %1, i64 addrspace(1)* %p
  %2 = call i1 @llvm.is.constant.i32(i32 %n)
  store i1 %2, i1 addrspace(1)* %q
  %3 = call i64 @llvm.objectsize.i64.p1i8(i8 addrspace(1)* %b, i1 false, i1 true, i1 false)
  store i64 %3, i64 addrspace(1)* %p
  %4 = call i64 @llvm.objectsize.i64.p1i8(i8 addrspace(1)* %b, i1 true, i1 true, i1 false)
  store i64 %4, i64 addrspace(1)* %p
  %5 = call i32 @llvm.expect.i32(i32 %n, i32 1)
  store i32 %5, i32 addrspace(1)* %r
  call void @llvm.debugtrap()
  ret void
}
; ==== after
declare float @llvm.round.f32(float)
declare void @llvm.trap()
define spir_kernel void @k(float %a, i32 %n, i8 addrspace(1)* %b, i64 addrspace(1)* %p, i1 addrspace(1)* %q, i32 addrspace(1)* %r, i1 %c) {
  %round = call float @llvm.round.f32(float %a)
  %1 = fptosi float %round to i64
  store i64 %1, i64 addrspace(1)* %p
  store i1 false, i1 addrspace(1)* %q
  store i64 -1, i64 addrspace(1)* %p
  store i64 0, i64 addrspace(1)* %p
  store i32 %n, i32 addrspace(1)* %r
  call void @llvm.trap()
  ret void
}
