; A sum of real numbers; they are compared as integers.
declare spir_func float @_Z16atomic_fetch_addPU3AS4VU7_Atomicff(float addrspace(4)*, float)
declare spir_func zeroext i1 @_Z30atomic_compare_exchange_strongPU3AS4VU7_AtomicfPU3AS4ff(float addrspace(4)*, float addrspace(4)*, float)
define spir_kernel void @k(float addrspace(4)* %p, float addrspace(4)* %expected, float %x, i1 addrspace(1)* %out) {
  %a = call spir_func float @_Z16atomic_fetch_addPU3AS4VU7_Atomicff(float addrspace(4)* %p, float %x)
  %done = call spir_func zeroext i1 @_Z30atomic_compare_exchange_strongPU3AS4VU7_AtomicfPU3AS4ff(float addrspace(4)* %p, float addrspace(4)* %expected, float %x)
  store i1 %done, i1 addrspace(1)* %out
  ret void
}
; ==== after
define spir_kernel void @k(float addrspace(4)* %p, float addrspace(4)* %expected, float %x, i1 addrspace(1)* %out) {
  %a = atomicrmw fadd float addrspace(4)* %p, float %x monotonic, align 4
  %place = bitcast float addrspace(4)* %expected to i32 addrspace(4)*
  %word = bitcast float addrspace(4)* %p to i32 addrspace(4)*
  %old = load i32, i32 addrspace(4)* %place, align 4
  %desired = bitcast float %x to i32
  %pair = cmpxchg i32 addrspace(4)* %word, i32 %old, i32 %desired monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  store i32 %found, i32 addrspace(4)* %place, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  store i1 %done, i1 addrspace(1)* %out
  ret void
}
