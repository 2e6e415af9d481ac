; Real numbers are exchanged as integers of their size.
define spir_kernel void @k(float addrspace(1)* %p, float %v, double addrspace(1)* %q, double %w) {
entry:
  %old = atomicrmw xchg float addrspace(1)* %p, float %v monotonic
  %sum = atomicrmw fadd double addrspace(1)* %q, double %w monotonic
  ret void
}
; ==== after
define spir_kernel void @k(float addrspace(1)* %p, float %v, double addrspace(1)* %q, double %w) {
entry:
  %bits = bitcast float %v to i32
  %word = bitcast float addrspace(1)* %p to i32 addrspace(1)*
  %exchanged = call spir_func i32 @_Z11atomic_xchgPU3AS1Vii(i32 addrspace(1)* %word, i32 %bits)
  %old = bitcast i32 %exchanged to float
  %wide = bitcast double addrspace(1)* %q to i64 addrspace(1)*
  %first = load volatile i64, i64 addrspace(1)* %wide, align 8
  br label %loop

loop:
  %seen = phi i64 [ %first, %entry ], [ %found, %loop ]
  %number = bitcast i64 %seen to double
  %sum = fadd double %number, %w
  %desired = bitcast double %sum to i64
  %found = call spir_func i64 @_Z12atom_cmpxchgPU3AS1Vlll(i64 addrspace(1)* %wide, i64 %seen, i64 %desired)
  %isSame = icmp eq i64 %found, %seen
  br i1 %isSame, label %after, label %loop

after:
  ret void
}
declare spir_func i32 @_Z11atomic_xchgPU3AS1Vii(i32 addrspace(1)*, i32) #0
declare spir_func i64 @_Z12atom_cmpxchgPU3AS1Vlll(i64 addrspace(1)*, i64, i64) #0
attributes #0 = { convergent nounwind }
