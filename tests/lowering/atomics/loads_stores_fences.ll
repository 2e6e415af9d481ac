; Atomic loads and stores become volatile, a fence one of both memories.
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %a = load atomic i32, i32 addrspace(1)* %p acquire, align 4
  store atomic i32 %a, i32 addrspace(1)* %p release, align 4
  fence seq_cst
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %a = load volatile i32, i32 addrspace(1)* %p, align 4
  store volatile i32 %a, i32 addrspace(1)* %p, align 4
  call spir_func void @_Z9mem_fencej(i32 3)
  ret void
}
declare spir_func void @_Z9mem_fencej(i32)
