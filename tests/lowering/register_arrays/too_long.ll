; 5,000 instructions and more: the loop stays, and the array stays in memory.
define spir_kernel void @k(float addrspace(1)* %out) {
entry:
  %x = alloca [1000 x float]
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %next, %element ]
  %there = getelementptr [1000 x float], [1000 x float]* %x, i64 0, i64 %i
  store float 1.0, float* %there
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 1000
  br i1 %again, label %element, label %end
end:
  %first = getelementptr [1000 x float], [1000 x float]* %x, i64 0, i64 0
  %value = load float, float* %first
  store float %value, float addrspace(1)* %out
  ret void
}
; ==== unchanged
