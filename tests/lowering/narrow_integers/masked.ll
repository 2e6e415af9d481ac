; A conjunction of the truncated value becomes the only one.
define spir_kernel void @k(i64 %x, i32 addrspace(1)* %p) {
  %narrow = trunc i64 %x to i5
  %bits = and i5 %narrow, -15
  switch i5 %bits, label %end [
    i5 -16, label %high
  ]
high:
  store i32 1, i32 addrspace(1)* %p
  br label %end
end:
  ret void
}
; ==== after
define spir_kernel void @k(i64 %x, i32 addrspace(1)* %p) {
  %bits = and i64 %x, 17
  switch i64 %bits, label %end [
    i64 16, label %high
  ]
high:
  store i32 1, i32 addrspace(1)* %p
  br label %end
end:
  ret void
}
