; Atomic functions of OpenCL C 1.2, and the user's own of such a name.
declare spir_func i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)*, i32)
define spir_func i32 @_Z16atomic_fetch_addPU3AS4VU7_Atomicii(i32 addrspace(4)* %p, i32 %x) {
  ret i32 %x
}
define spir_kernel void @k(i32 addrspace(1)* %p, i32 addrspace(4)* %q) {
  %a = call spir_func i32 @_Z10atomic_addPU3AS1Vii(i32 addrspace(1)* %p, i32 1)
  %b = call spir_func i32 @_Z16atomic_fetch_addPU3AS4VU7_Atomicii(i32 addrspace(4)* %q, i32 1)
  ret void
}
; ==== unchanged
