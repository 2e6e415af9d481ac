; Data that the compiler made constant goes to constant memory, with the copies from there.
@literal = internal unnamed_addr addrspace(1) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@variable = addrspace(1) global i32 5, align 4
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %copy = alloca [4 x i32]
  %bytes = bitcast [4 x i32]* %copy to i8*
  call void @llvm.memcpy.p0i8.p1i8.i64(i8* align 4 %bytes, i8 addrspace(1)* align 4 bitcast ([4 x i32] addrspace(1)* @literal to i8 addrspace(1)*), i64 16, i1 false)
  %x = load i32, i32 addrspace(1)* @variable
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i1)
; ==== after
@literal = internal unnamed_addr addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@variable = addrspace(1) global i32 5, align 4
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %copy = alloca [4 x i32]
  %bytes = bitcast [4 x i32]* %copy to i8*
  call void @llvm.memcpy.p0i8.p2i8.i64(i8* align 4 %bytes, i8 addrspace(2)* align 4 bitcast ([4 x i32] addrspace(2)* @literal to i8 addrspace(2)*), i64 16, i1 false)
  %x = load i32, i32 addrspace(1)* @variable
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i1)
declare void @llvm.memcpy.p0i8.p2i8.i64(i8*, i8 addrspace(2)*, i64, i1)
