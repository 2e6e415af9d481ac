; A copy of 16 aligned bytes is a load and a store of a vector; others stay copies.
%vector = type { i32, i32, i32, i32 }
define spir_kernel void @k(%vector* %to, %vector addrspace(3)* %tile) {
  %from = bitcast %vector* %to to i8*
  %into = bitcast %vector addrspace(3)* %tile to i8 addrspace(3)*
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 8 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 4 %into, i8* align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 32, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 16, i1 true)
  ret void
}
declare void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)*, i8*, i64, i1)
; ==== after
%vector = type { i32, i32, i32, i32 }
define spir_kernel void @k(%vector* %to, %vector addrspace(3)* %tile) {
  %from = bitcast %vector* %to to i8*
  %into = bitcast %vector addrspace(3)* %tile to i8 addrspace(3)*
  %1 = bitcast i8* %from to <4 x i32>*
  %2 = load <4 x i32>, <4 x i32>* %1, align 16
  %3 = bitcast i8 addrspace(3)* %into to <4 x i32> addrspace(3)*
  store <4 x i32> %2, <4 x i32> addrspace(3)* %3, align 16
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 8 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 4 %into, i8* align 16 %from, i64 16, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 32, i1 false)
  call void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* align 16 %into, i8* align 16 %from, i64 16, i1 true)
  ret void
}
declare void @llvm.memcpy.p3i8.p0i8.i64(i8 addrspace(3)* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)
