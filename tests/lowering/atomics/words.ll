; 32 and 64 bits: OpenCL's functions, whose mangled names tell the address space, and whether the
; numbers have a sign.
define spir_kernel void @k(i32 addrspace(1)* %g, i64 addrspace(3)* %l, i32 %v, i64 %w) {
  %a = atomicrmw xchg i32 addrspace(1)* %g, i32 %v seq_cst
  %b = atomicrmw add i32 addrspace(1)* %g, i32 %v seq_cst
  %c = atomicrmw sub i64 addrspace(3)* %l, i64 %w seq_cst
  %d = atomicrmw and i32 addrspace(1)* %g, i32 %v seq_cst
  %e = atomicrmw or i32 addrspace(1)* %g, i32 %v seq_cst
  %f = atomicrmw xor i64 addrspace(3)* %l, i64 %w seq_cst
  %h = atomicrmw max i32 addrspace(1)* %g, i32 %v seq_cst
  %i = atomicrmw min i64 addrspace(3)* %l, i64 %w seq_cst
  %m = atomicrmw umax i32 addrspace(1)* %g, i32 %v seq_cst
  %n = atomicrmw umin i64 addrspace(3)* %l, i64 %w seq_cst
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %g, i64 addrspace(3)* %l, i32 %v, i64 %w) {
  %a = call spir_func i32 @_Z11atomic_xchgPU3AS1Vii(i32 addrspace(1)* %g, i32 %v)
  %b = call spir_func i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* %g, i32 %v)
  %c = call spir_func i64 @_Z8atom_subPU3AS3Vll(i64 addrspace(3)* %l, i64 %w)
  %d = call spir_func i32 @_Z10atomic_andPU3AS1Vii(i32 addrspace(1)* %g, i32 %v)
  %e = call spir_func i32 @_Z9atomic_orPU3AS1Vii(i32 addrspace(1)* %g, i32 %v)
  %f = call spir_func i64 @_Z8atom_xorPU3AS3Vll(i64 addrspace(3)* %l, i64 %w)
  %h = call spir_func i32 @_Z10atomic_maxPU3AS1Vii(i32 addrspace(1)* %g, i32 %v)
  %i = call spir_func i64 @_Z8atom_minPU3AS3Vll(i64 addrspace(3)* %l, i64 %w)
  %m = call spir_func i32 @_Z10atomic_maxPU3AS1Vjj(i32 addrspace(1)* %g, i32 %v)
  %n = call spir_func i64 @_Z8atom_minPU3AS3Vmm(i64 addrspace(3)* %l, i64 %w)
  ret void
}
declare spir_func i32 @_Z11atomic_xchgPU3AS1Vii(i32 addrspace(1)*, i32) #0
declare spir_func i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)*, i32) #0
declare spir_func i64 @_Z8atom_subPU3AS3Vll(i64 addrspace(3)*, i64) #0
declare spir_func i32 @_Z10atomic_andPU3AS1Vii(i32 addrspace(1)*, i32) #0
declare spir_func i32 @_Z9atomic_orPU3AS1Vii(i32 addrspace(1)*, i32) #0
declare spir_func i64 @_Z8atom_xorPU3AS3Vll(i64 addrspace(3)*, i64) #0
declare spir_func i32 @_Z10atomic_maxPU3AS1Vii(i32 addrspace(1)*, i32) #0
declare spir_func i64 @_Z8atom_minPU3AS3Vll(i64 addrspace(3)*, i64) #0
declare spir_func i32 @_Z10atomic_maxPU3AS1Vjj(i32 addrspace(1)*, i32) #0
declare spir_func i64 @_Z8atom_minPU3AS3Vmm(i64 addrspace(3)*, i64) #0
attributes #0 = { convergent nounwind }
