; A kernel that multiplies no matrices keeps its loops.
define spir_kernel void @k() {
entry:
  %x = alloca [8 x float]
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %next, %element ]
  %there = getelementptr [8 x float], [8 x float]* %x, i64 0, i64 %i
  store float 1.0, float* %there
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 8
  br i1 %again, label %element, label %end
end:
  ret void
}
; ==== unchanged
