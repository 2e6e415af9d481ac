declare spir_func zeroext i1 @_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici(i32 addrspace(4)*)
declare spir_func void @_Z17atomic_flag_clearPU3AS4VU7_Atomici(i32 addrspace(4)*)
declare spir_func void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32, i32, i32)
define spir_kernel void @k(i32 addrspace(4)* %p, i1 addrspace(1)* %out) {
  %was = call spir_func zeroext i1 @_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici(i32 addrspace(4)* %p)
  store i1 %was, i1 addrspace(1)* %out
  call spir_func void @_Z17atomic_flag_clearPU3AS4VU7_Atomici(i32 addrspace(4)* %p)
  call spir_func void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 2, i32 4, i32 1)
  ret void
}
; ==== after
declare spir_func void @_Z9mem_fencej(i32)
define spir_kernel void @k(i32 addrspace(4)* %p, i1 addrspace(1)* %out) {
  %old = atomicrmw xchg i32 addrspace(4)* %p, i32 1 monotonic, align 4
  %was = icmp ne i32 %old, 0
  store i1 %was, i1 addrspace(1)* %out
  store atomic i32 0, i32 addrspace(4)* %p monotonic, align 4
  call spir_func void @_Z9mem_fencej(i32 2)
  ret void
}
