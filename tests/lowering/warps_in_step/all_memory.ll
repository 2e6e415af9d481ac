; With `aiwc build --warps-in-step`, memory that is not volatile counts, too: copies, atomics and
; stores, also across blocks. The module keeps the mark, by which the plugin knows the option.
!aiwc.warps_in_step = !{}
declare void @llvm.memcpy.p3i8.p1i8.i64(i8 addrspace(3)*, i8 addrspace(1)*, i64, i1)
define spir_kernel void @k(i8 addrspace(1)* %in, i8 addrspace(3)* %shared, i32 addrspace(3)* %sum) {
entry:
  call void @llvm.memcpy.p3i8.p1i8.i64(i8 addrspace(3)* %shared, i8 addrspace(1)* %in, i64 12, i1 false)
  br label %next
next:
  %byte = load i8, i8 addrspace(3)* %shared
  %isSet = icmp ne i8 %byte, 0
  br i1 %isSet, label %add, label %end
add:
  %old = atomicrmw add i32 addrspace(3)* %sum, i32 1 monotonic
  br label %end
end:
  store i8 1, i8 addrspace(3)* %shared
  ret void
}
; ==== after
declare void @llvm.memcpy.p3i8.p1i8.i64(i8 addrspace(3)* noalias nocapture writeonly, i8 addrspace(1)* noalias nocapture readonly, i64, i1 immarg) #0
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #1
define spir_kernel void @k(i8 addrspace(1)* %in, i8 addrspace(3)* %shared, i32 addrspace(3)* %sum) {
  call void @llvm.memcpy.p3i8.p1i8.i64(i8 addrspace(3)* %shared, i8 addrspace(1)* %in, i64 12, i1 false)
  br label %1
1:
  %2 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %3 = load i8, i8 addrspace(3)* %shared, align 1
  %4 = icmp ne i8 %3, 0
  br i1 %4, label %5, label %8
5:
  %6 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %7 = atomicrmw add i32 addrspace(3)* %sum, i32 1 monotonic, align 4
  br label %8
8:
  %9 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  store i8 1, i8 addrspace(3)* %shared, align 1
  ret void
}
attributes #0 = { argmemonly nofree nounwind willreturn }
attributes #1 = { convergent }
!aiwc.warps_in_step = !{}
