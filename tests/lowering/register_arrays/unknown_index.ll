; An index that the kernel gets: the array stays in memory, and its loop stays.
define spir_kernel void @k(i64 %which, float addrspace(1)* %out) {
entry:
  %x = alloca [2 x float]
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %next, %element ]
  %there = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 %i
  store float 1.0, float* %there
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 2
  br i1 %again, label %element, label %end
end:
  %chosen = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 %which
  %value = load float, float* %chosen
  store float %value, float addrspace(1)* %out
  ret void
}
; ==== unchanged
