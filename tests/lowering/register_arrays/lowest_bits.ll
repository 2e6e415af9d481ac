; Two buffers in turn: the index is the lowest bit of a counter.
define spir_kernel void @k(float addrspace(1)* %out) {
entry:
  %x = alloca [2 x float]
  %first = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 0
  store float 2.0, float* %first
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %bit = and i64 %i, 1
  %here = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 %bit
  %value = load float, float* %here
  %twice = fmul float %value, %value
  %next = add i64 %i, 1
  %other = and i64 %next, 1
  %there = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 %other
  store float %twice, float* %there
  %again = icmp ult i64 %next, 3
  br i1 %again, label %turn, label %end
end:
  %second = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 1
  %last = load float, float* %second
  store float %last, float addrspace(1)* %out
  ret void
}
; ==== after
define spir_kernel void @k(float addrspace(1)* %out) {
  store float 2.560000e+02, float addrspace(1)* %out, align 4
  ret void
}
