; Warps that rely on executing each instruction together: lanes meet before and after the store.
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 %value) {
  store volatile i32 %value, i32 addrspace(3)* %shared
  %other = load volatile i32, i32 addrspace(3)* %shared
  ret void
}
; ==== after
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #0
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 %value) {
  %1 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  store volatile i32 %value, i32 addrspace(3)* %shared, align 4
  %2 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %3 = load volatile i32, i32 addrspace(3)* %shared, align 4
  ret void
}
attributes #0 = { convergent }
