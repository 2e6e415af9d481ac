; An array with addresses of shared memory is stored, since no constant can have them.
@shared = external addrspace(3) global [0 x float], align 4
@literal = private unnamed_addr addrspace(1) constant [2 x { float addrspace(4)*, i32 }] [{ float addrspace(4)*, i32 } { float addrspace(4)* addrspacecast (float addrspace(3)* getelementptr inbounds ([0 x float], [0 x float] addrspace(3)* @shared, i32 0, i32 1) to float addrspace(4)*), i32 7 }, { float addrspace(4)*, i32 } zeroinitializer], align 8
define spir_kernel void @k() {
  %copy = alloca [2 x { float addrspace(4)*, i32 }]
  %bytes = bitcast [2 x { float addrspace(4)*, i32 }]* %copy to i8*
  call void @llvm.memcpy.p0i8.p1i8.i64(i8* align 8 %bytes, i8 addrspace(1)* align 8 bitcast ([2 x { float addrspace(4)*, i32 }] addrspace(1)* @literal to i8 addrspace(1)*), i64 32, i1 false)
  ret void
}
declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i1)
; ==== after
@literal = private unnamed_addr addrspace(1) constant [2 x { float addrspace(4)*, i32 }] [{ float addrspace(4)*, i32 } { float addrspace(4)* addrspacecast (float addrspace(3)* getelementptr inbounds ([0 x float], [0 x float] addrspace(3)* @shared, i32 0, i32 1) to float addrspace(4)*), i32 7 }, { float addrspace(4)*, i32 } zeroinitializer], align 8
@shared = external addrspace(3) global [0 x float], align 4
define spir_kernel void @k() {
  %1 = alloca [2 x { float addrspace(4)*, i32 }], align 8
  %2 = bitcast [2 x { float addrspace(4)*, i32 }]* %1 to i8*
  %3 = bitcast i8* %2 to [2 x { float addrspace(4)*, i32 }]*
  %4 = getelementptr inbounds [2 x { float addrspace(4)*, i32 }], [2 x { float addrspace(4)*, i32 }]* %3, i32 0, i32 0
  %5 = getelementptr inbounds { float addrspace(4)*, i32 }, { float addrspace(4)*, i32 }* %4, i32 0, i32 0
  store float addrspace(4)* addrspacecast (float addrspace(3)* getelementptr inbounds ([0 x float], [0 x float] addrspace(3)* @shared, i32 0, i32 1) to float addrspace(4)*), float addrspace(4)** %5, align 8
  %6 = getelementptr inbounds { float addrspace(4)*, i32 }, { float addrspace(4)*, i32 }* %4, i32 0, i32 1
  store i32 7, i32* %6, align 4
  %7 = getelementptr inbounds [2 x { float addrspace(4)*, i32 }], [2 x { float addrspace(4)*, i32 }]* %3, i32 0, i32 1
  %8 = getelementptr inbounds { float addrspace(4)*, i32 }, { float addrspace(4)*, i32 }* %7, i32 0, i32 0
  store float addrspace(4)* null, float addrspace(4)** %8, align 8
  %9 = getelementptr inbounds { float addrspace(4)*, i32 }, { float addrspace(4)*, i32 }* %7, i32 0, i32 1
  store i32 0, i32* %9, align 4
  ret void
}
declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i1)
