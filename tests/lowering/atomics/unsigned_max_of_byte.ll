; OpenCL has no atomic function of 8 bits: the byte is exchanged with its word. Its maximum is one
; of numbers without sign.
define spir_kernel void @k(i8 addrspace(1)* %p, i8 %v, i8 addrspace(1)* %result) {
entry:
  %old = atomicrmw umax i8 addrspace(1)* %p, i8 %v monotonic
  store i8 %old, i8 addrspace(1)* %result
  ret void
}
; ==== after
define spir_kernel void @k(i8 addrspace(1)* %p, i8 %v, i8 addrspace(1)* %result) {
entry:
  %address = ptrtoint i8 addrspace(1)* %p to i64
  %byte = and i64 %address, 3
  %bit = shl i64 %byte, 3
  %shift = trunc i64 %bit to i32
  %aligned = and i64 %address, -4
  %word = inttoptr i64 %aligned to i32 addrspace(1)*
  %first = load volatile i32, i32 addrspace(1)* %word, align 4
  br label %loop

loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %shifted = lshr i32 %seen, %shift
  %old = trunc i32 %shifted to i8
  %isLarger = icmp ugt i8 %old, %v
  %new = select i1 %isLarger, i8 %old, i8 %v
  %mask = shl i32 255, %shift
  %otherMask = xor i32 %mask, -1
  %others = and i32 %seen, %otherMask
  %wide = zext i8 %new to i32
  %placed = shl i32 %wide, %shift
  %desired = or i32 %others, %placed
  %found = call spir_func i32 @_Z14atomic_cmpxchgPU3AS1Viii(i32 addrspace(1)* %word, i32 %seen, i32 %desired)
  %isSame = icmp eq i32 %found, %seen
  br i1 %isSame, label %after, label %loop

after:
  store i8 %old, i8 addrspace(1)* %result
  ret void
}
declare spir_func i32 @_Z14atomic_cmpxchgPU3AS1Viii(i32 addrspace(1)*, i32, i32) #0
attributes #0 = { convergent nounwind }
