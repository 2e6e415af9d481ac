; Generic pointers become global ones wherever they are, and casts between what is one now go.
%list = type { i32, %list addrspace(4)* }
declare void @llvm.memcpy.p4i8.p4i8.i64(i8 addrspace(4)*, i8 addrspace(4)*, i64, i1)
define spir_kernel void @k(%list addrspace(4)* %p, i32 addrspace(1)* %g, [2 x i8 addrspace(4)*]* %array) {
  %next = getelementptr inbounds %list, %list addrspace(4)* %p, i64 0, i32 1
  %there = load %list addrspace(4)*, %list addrspace(4)* addrspace(4)* %next, align 8
  %generic = addrspacecast i32 addrspace(1)* %g to i32 addrspace(4)*
  store i32 1, i32 addrspace(4)* %generic, align 4
  %bytes = bitcast %list addrspace(4)* %there to i8 addrspace(4)*
  call void @llvm.memcpy.p4i8.p4i8.i64(i8 addrspace(4)* %bytes, i8 addrspace(4)* %bytes, i64 4, i1 false)
  ret void
}
; ==== after
%list = type { i32, %list addrspace(1)* }
declare void @llvm.memcpy.p1i8.p1i8.i64(i8 addrspace(1)*, i8 addrspace(1)*, i64, i1)
define spir_kernel void @k(%list addrspace(1)* %p, i32 addrspace(1)* %g, [2 x i8 addrspace(1)*]* %array) {
  %next = getelementptr inbounds %list, %list addrspace(1)* %p, i64 0, i32 1
  %there = load %list addrspace(1)*, %list addrspace(1)* addrspace(1)* %next, align 8
  store i32 1, i32 addrspace(1)* %g, align 4
  %bytes = bitcast %list addrspace(1)* %there to i8 addrspace(1)*
  call void @llvm.memcpy.p1i8.p1i8.i64(i8 addrspace(1)* %bytes, i8 addrspace(1)* %bytes, i64 4, i1 false)
  ret void
}
