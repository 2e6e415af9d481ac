; A copy of 16 bytes that one side says to be aligned is a load and a store of a vector; others stay
; copies.
%vector = type { i32, i32, i32, i32 }
define spir_kernel void @k(%vector* %to, %vector addrspace(3)* %tile) {
  %from = bitcast %vector* %to to i8*
  %into = bitcast %vector addrspace(3)* %tile to i8 addrspace(3)*
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 8 %into, i8* align 8 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 4 %into, i8* align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 32, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 16, i1 true)
  ret void
}
declare void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)*, i8*, i64, i1)
; ==== after
%vector = type { i32, i32, i32, i32 }
define spir_kernel void @k(%vector* %to, %vector addrspace(3)* %tile) {
  %1 = bitcast %vector* %to to i8*
  %2 = bitcast %vector addrspace(3)* %tile to i8 addrspace(3)*
  %3 = bitcast i8* %1 to <4 x i32>*
  %4 = load <4 x i32>, <4 x i32>* %3, align 16
  %5 = bitcast i8 addrspace(3)* %2 to <4 x i32> addrspace(3)*
  store <4 x i32> %4, <4 x i32> addrspace(3)* %5, align 16
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 8 %2, i8* align 8 %1, i64 16, i1 false)
  %6 = bitcast i8* %1 to <4 x i32>*
  %7 = load <4 x i32>, <4 x i32>* %6, align 16
  %8 = bitcast i8 addrspace(3)* %2 to <4 x i32> addrspace(3)*
  store <4 x i32> %7, <4 x i32> addrspace(3)* %8, align 16
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %2, i8* align 16 %1, i64 32, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %2, i8* align 16 %1, i64 16, i1 true)
  ret void
}
declare void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #0
attributes #0 = { argmemonly nofree nounwind willreturn }
