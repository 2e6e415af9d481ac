; As for a byte, in local memory.
define spir_kernel void @k(i16 addrspace(3)* %p, i16 %v) {
entry:
  %old = atomicrmw umax i16 addrspace(3)* %p, i16 %v monotonic
  ret void
}
; ==== after
define spir_kernel void @k(i16 addrspace(3)* %p, i16 %v) {
entry:
  %address = ptrtoint i16 addrspace(3)* %p to i64
  %byte = and i64 %address, 3
  %bit = shl i64 %byte, 3
  %shift = trunc i64 %bit to i32
  %aligned = and i64 %address, -4
  %word = inttoptr i64 %aligned to i32 addrspace(3)*
  %first = load volatile i32, i32 addrspace(3)* %word, align 4
  br label %loop

loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %shifted = lshr i32 %seen, %shift
  %old = trunc i32 %shifted to i16
  %isLarger = icmp ugt i16 %old, %v
  %new = select i1 %isLarger, i16 %old, i16 %v
  %mask = shl i32 65535, %shift
  %otherMask = xor i32 %mask, -1
  %others = and i32 %seen, %otherMask
  %wide = zext i16 %new to i32
  %placed = shl i32 %wide, %shift
  %desired = or i32 %others, %placed
  %found = call spir_func i32 @_Z14atomic_cmpxchgPU3AS3Viii(i32 addrspace(3)* %word, i32 %seen, i32 %desired)
  %isSame = icmp eq i32 %found, %seen
  br i1 %isSame, label %after, label %loop

after:
  ret void
}
declare spir_func i32 @_Z14atomic_cmpxchgPU3AS3Viii(i32 addrspace(3)*, i32, i32) #0
attributes #0 = { convergent nounwind }
