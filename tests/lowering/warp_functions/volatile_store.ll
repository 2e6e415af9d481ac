; Warps that rely on executing each instruction together: barriers around the store.
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 %value) {
  store volatile i32 %value, i32 addrspace(3)* %shared
  %other = load volatile i32, i32 addrspace(3)* %shared
  ret void
}
; ==== after
declare void @__aiwc_warp_barrier(i32)
declare spir_func void @_Z7barrierj(i32) #0
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 %value) {
  call spir_func void @_Z7barrierj(i32 3)
  store volatile i32 %value, i32 addrspace(3)* %shared
  call spir_func void @_Z7barrierj(i32 3)
  %other = load volatile i32, i32 addrspace(3)* %shared
  ret void
}
attributes #0 = { convergent nounwind }
