; A loop that the program asks to keep (`#pragma unroll 1`).
define spir_kernel void @k(float addrspace(1)* %out) {
entry:
  %x = alloca [2 x float]
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %next, %element ]
  %there = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 %i
  store float 1.0, float* %there
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 2
  br i1 %again, label %element, label %end, !llvm.loop !0
end:
  %first = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 0
  %value = load float, float* %first
  store float %value, float addrspace(1)* %out
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
; ==== unchanged
