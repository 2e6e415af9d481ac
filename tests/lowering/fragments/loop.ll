; A loop over the elements of a fragment, inside one over tiles, which stays.
declare <8 x float> @__aiwc_multiply_float(i32, <8 x float>)
define spir_kernel void @k(i64 %tiles, <8 x float> %sum) {
entry:
  %x = alloca [8 x float]
  br label %tile
tile:
  %t = phi i64 [ 0, %entry ], [ %nextTile, %last ]
  %product = call <8 x float> @__aiwc_multiply_float(i32 0, <8 x float> %sum)
  br label %element
element:
  %i = phi i32 [ 0, %tile ], [ %next, %element ]
  %index = sext i32 %i to i64
  %there = getelementptr [8 x float], [8 x float]* %x, i64 0, i64 %index
  store float 1.0, float* %there
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 8
  br i1 %again, label %element, label %last
last:
  %nextTile = add i64 %t, 1
  %more = icmp ult i64 %nextTile, %tiles
  br i1 %more, label %tile, label %end
end:
  ret void
}
; ==== after
declare <8 x float> @__aiwc_multiply_float(i32, <8 x float>)
define spir_kernel void @k(i64 %tiles, <8 x float> %sum) {
  %1 = alloca [8 x float], align 4
  br label %2
2:
  %3 = phi i64 [ 0, %0 ], [ %12, %11 ]
  %4 = call <8 x float> @__aiwc_multiply_float(i32 0, <8 x float> %sum)
  br label %5
5:
  %6 = phi i32 [ 0, %2 ], [ %9, %5 ]
  %7 = sext i32 %6 to i64
  %8 = getelementptr [8 x float], [8 x float]* %1, i64 0, i64 %7
  store float 1.000000e+00, float* %8, align 4
  %9 = add i32 %6, 1
  %10 = icmp ult i32 %9, 8
  br i1 %10, label %5, label %11, !llvm.loop !0
11:
  %12 = add i64 %3, 1
  %13 = icmp ult i64 %12, %tiles
  br i1 %13, label %2, label %14
14:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full", i32 0}
