; OpenCL's functions and those that clang gives its builtins. Whether a maximum has a sign is told by
; the mangled name or by the function's own. A cast that only the declaration asks for goes.
declare spir_func i32 @_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order(i32 addrspace(4)*, i32, i32)
declare spir_func i32 @_Z16atomic_fetch_maxPU3AS4VU7_Atomicjj(i32 addrspace(4)*, i32)
declare spir_func i32 @__opencl_atomic_fetch_umin_4(i8 addrspace(4)*, i32, i32, i32)
declare spir_func i64 @_Z15atomic_exchangePU3AS4VU7_Atomicll(i64 addrspace(4)*, i64)
declare spir_func i32 @_Z11atomic_loadPU3AS4VU7_Atomici(i32 addrspace(4)*)
declare spir_func void @_Z12atomic_storePU3AS4VU7_Atomicii(i32 addrspace(4)*, i32)
declare spir_func void @_Z11atomic_initPU3AS4VU7_Atomicii(i32 addrspace(4)*, i32)
define spir_kernel void @k(i32 addrspace(1)* %p, i8 addrspace(4)* %b, i64 addrspace(4)* %w) {
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %a = call spir_func i32 @_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order(i32 addrspace(4)* %generic, i32 1, i32 0)
  %c = call spir_func i32 @_Z16atomic_fetch_maxPU3AS4VU7_Atomicjj(i32 addrspace(4)* %generic, i32 2)
  %d = call spir_func i32 @__opencl_atomic_fetch_umin_4(i8 addrspace(4)* %b, i32 3, i32 0, i32 1)
  %e = call spir_func i64 @_Z15atomic_exchangePU3AS4VU7_Atomicll(i64 addrspace(4)* %w, i64 4)
  %f = call spir_func i32 @_Z11atomic_loadPU3AS4VU7_Atomici(i32 addrspace(4)* %generic)
  call spir_func void @_Z12atomic_storePU3AS4VU7_Atomicii(i32 addrspace(4)* %generic, i32 5)
  call spir_func void @_Z11atomic_initPU3AS4VU7_Atomicii(i32 addrspace(4)* %generic, i32 6)
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p, i8 addrspace(4)* %b, i64 addrspace(4)* %w) {
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %a = atomicrmw add i32 addrspace(1)* %p, i32 1 monotonic, align 4
  %c = atomicrmw umax i32 addrspace(1)* %p, i32 2 monotonic, align 4
  %word = bitcast i8 addrspace(4)* %b to i32 addrspace(4)*
  %d = atomicrmw umin i32 addrspace(4)* %word, i32 3 monotonic, align 4
  %e = atomicrmw xchg i64 addrspace(4)* %w, i64 4 monotonic, align 8
  %f = load atomic i32, i32 addrspace(1)* %p monotonic, align 4
  store atomic i32 5, i32 addrspace(1)* %p monotonic, align 4
  store i32 6, i32 addrspace(1)* %p, align 4
  ret void
}
