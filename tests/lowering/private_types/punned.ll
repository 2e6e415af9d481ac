; Accesses to private memory lose their types, those to other memory keep them.
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %sums = alloca [2 x half]
  %first = getelementptr [2 x half], [2 x half]* %sums, i64 0, i64 0
  store half 1.0, half* %first, !tbaa !1
  %both = bitcast [2 x half]* %sums to i32*
  %bits = load i32, i32* %both, !tbaa !2
  store i32 %bits, i32 addrspace(1)* %out, !tbaa !2
  ret void
}
!0 = !{!"bytes"}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"half", !0, i64 0}
!4 = !{!"int", !0, i64 0}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %out) {
  %1 = alloca [2 x half], align 2
  %2 = getelementptr [2 x half], [2 x half]* %1, i64 0, i64 0
  store half 0xH3C00, half* %2, align 2
  %3 = bitcast [2 x half]* %1 to i32*
  %4 = load i32, i32* %3, align 4
  store i32 %4, i32 addrspace(1)* %out, align 4, !tbaa !0
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"bytes"}
