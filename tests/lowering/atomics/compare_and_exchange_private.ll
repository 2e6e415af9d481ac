; In private memory: a store of what was expected or of what was there.
define spir_kernel void @k(i32* %p, i32 %expected, i32 %desired) {
  %pair = cmpxchg i32* %p, i32 %expected, i32 %desired monotonic monotonic
  ret void
}
; ==== after
define spir_kernel void @k(i32* %p, i32 %expected, i32 %desired) {
  %old = load i32, i32* %p, align 4
  %matches = icmp eq i32 %old, %expected
  %new = select i1 %matches, i32 %desired, i32 %old
  store i32 %new, i32* %p, align 4
  %half = insertvalue { i32, i1 } undef, i32 %old, 0
  %isExpected = icmp eq i32 %old, %expected
  %pair = insertvalue { i32, i1 } %half, i1 %isExpected, 1
  ret void
}
