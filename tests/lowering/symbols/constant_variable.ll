; A __constant__ variable, which the host may write before a launch.
@coefficients = addrspace(1) global [2 x float] zeroinitializer, align 4
@text = private unnamed_addr constant [14 x i8] c"aiwc.constant\00", section "llvm.metadata"
@file = private unnamed_addr constant [5 x i8] c"a.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { i8*, i8*, i8*, i32, i8* }] [{ i8*, i8*, i8*, i32, i8* } { i8* bitcast ([2 x float]* addrspacecast ([2 x float] addrspace(1)* @coefficients to [2 x float]*) to i8*), i8* getelementptr inbounds ([14 x i8], [14 x i8]* @text, i32 0, i32 0), i8* getelementptr inbounds ([5 x i8], [5 x i8]* @file, i32 0, i32 0), i32 1, i8* null }], section "llvm.metadata"
define spir_kernel void @k(float addrspace(1)* %out) {
  %x = load float, float addrspace(1)* getelementptr inbounds ([2 x float], [2 x float] addrspace(1)* @coefficients, i64 0, i64 1)
  store float %x, float addrspace(1)* %out
  ret void
}
; ==== after
@coefficients = addrspace(2) externally_initialized global [2 x float] zeroinitializer, align 4
@text = private unnamed_addr constant [14 x i8] c"aiwc.constant\00", section "llvm.metadata"
@file = private unnamed_addr constant [5 x i8] c"a.cu\00", section "llvm.metadata"
define spir_kernel void @k(float addrspace(1)* %out) {
  %x = load float, float addrspace(1)* getelementptr inbounds ([2 x float], [2 x float] addrspace(1)* addrspacecast ([2 x float] addrspace(2)* @coefficients to [2 x float] addrspace(1)*), i64 0, i64 1)
  store float %x, float addrspace(1)* %out
  ret void
}
