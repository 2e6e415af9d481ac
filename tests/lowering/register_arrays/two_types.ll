; Numbers of 16 bits that are read as a vector of 32: no pass takes the types for a sign that the load reads none of them.
define spir_kernel void @k(i16 %low, i16 %high, <4 x i32> addrspace(1)* %out) {
  %parts = alloca [8 x i16], align 16
  %first = getelementptr [8 x i16], [8 x i16]* %parts, i64 0, i64 0
  store i16 %low, i16* %first, !tbaa !1
  %last = getelementptr [8 x i16], [8 x i16]* %parts, i64 0, i64 7
  store i16 %high, i16* %last, !tbaa !1
  %all = bitcast [8 x i16]* %parts to <4 x i32>*
  %bits = load <4 x i32>, <4 x i32>* %all, !tbaa !2
  store <4 x i32> %bits, <4 x i32> addrspace(1)* %out, !tbaa !2
  ret void
}
!0 = !{!"bytes"}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"short", !0, i64 0}
!4 = !{!"int", !0, i64 0}
; ==== after
define spir_kernel void @k(i16 %low, i16 %high, <4 x i32> addrspace(1)* %out) {
  %1 = alloca <4 x i32>, align 16
  %2 = bitcast <4 x i32>* %1 to i16*
  store i16 %low, i16* %2, align 16
  %3 = bitcast <4 x i32>* %1 to i8*
  %4 = getelementptr inbounds i8, i8* %3, i64 14
  %5 = bitcast i8* %4 to i16*
  store i16 %high, i16* %5, align 2
  %6 = load <4 x i32>, <4 x i32>* %1, align 16
  store <4 x i32> %6, <4 x i32> addrspace(1)* %out, align 16, !tbaa !0
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"bytes"}
