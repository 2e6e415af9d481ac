; What was there, and whether it was what was expected; a byte's word keeps its other bytes.
define spir_kernel void @k(i32 addrspace(1)* %p, i32 %expected, i32 %desired, i8 addrspace(3)* %b, i8 %e, i8 %d) {
entry:
  %word = cmpxchg i32 addrspace(1)* %p, i32 %expected, i32 %desired monotonic monotonic
  %byte = cmpxchg i8 addrspace(3)* %b, i8 %e, i8 %d monotonic monotonic
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p, i32 %expected, i32 %desired, i8 addrspace(3)* %b, i8 %e, i8 %d) {
entry:
  %old = call spir_func i32 @_Z14atomic_cmpxchgPU3AS1Viii(i32 addrspace(1)* %p, i32 %expected, i32 %desired)
  %half = insertvalue { i32, i1 } undef, i32 %old, 0
  %isExpected = icmp eq i32 %old, %expected
  %pair = insertvalue { i32, i1 } %half, i1 %isExpected, 1
  %address = ptrtoint i8 addrspace(3)* %b to i64
  %offset = and i64 %address, 3
  %bit = shl i64 %offset, 3
  %shift = trunc i64 %bit to i32
  %aligned = and i64 %address, -4
  %word = inttoptr i64 %aligned to i32 addrspace(3)*
  %first = load volatile i32, i32 addrspace(3)* %word, align 4
  br label %loop

loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %shifted = lshr i32 %seen, %shift
  %number = trunc i32 %shifted to i8
  %matches = icmp eq i8 %number, %e
  %new = select i1 %matches, i8 %d, i8 %number
  %mask = shl i32 255, %shift
  %otherMask = xor i32 %mask, -1
  %others = and i32 %seen, %otherMask
  %wide = zext i8 %new to i32
  %placed = shl i32 %wide, %shift
  %changed = or i32 %others, %placed
  %found = call spir_func i32 @_Z14atomic_cmpxchgPU3AS3Viii(i32 addrspace(3)* %word, i32 %seen, i32 %changed)
  %isSame = icmp eq i32 %found, %seen
  br i1 %isSame, label %after, label %loop

after:
  %byteHalf = insertvalue { i8, i1 } undef, i8 %number, 0
  %byteIsExpected = icmp eq i8 %number, %e
  %bytePair = insertvalue { i8, i1 } %byteHalf, i1 %byteIsExpected, 1
  ret void
}
declare spir_func i32 @_Z14atomic_cmpxchgPU3AS1Viii(i32 addrspace(1)*, i32, i32) #0
declare spir_func i32 @_Z14atomic_cmpxchgPU3AS3Viii(i32 addrspace(3)*, i32, i32) #0
attributes #0 = { convergent nounwind }
