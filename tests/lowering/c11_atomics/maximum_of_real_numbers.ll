declare spir_func float @_Z16atomic_fetch_maxPU3AS4VU7_Atomicff(float addrspace(4)*, float)
define spir_kernel void @k(float addrspace(4)* %p) {
  %a = call spir_func float @_Z16atomic_fetch_maxPU3AS4VU7_Atomicff(float addrspace(4)* %p, float 1.0)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the function atomic_fetch_max of this type, which the simulator has not
