; A read after a write, be that volatile or not, and a write after a read: the lanes of a warp meet
; in between. Two reads need no meeting, and what happened before the last barrier needs none.
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 addrspace(3)* %other, i32 %value) {
  store i32 %value, i32 addrspace(3)* %shared
  %a = load volatile i32, i32 addrspace(3)* %other
  %b = load volatile i32, i32 addrspace(3)* %shared
  %sum = add i32 %a, %b
  store volatile i32 %sum, i32 addrspace(3)* %shared
  call spir_func void @_Z7barrierj(i32 1)
  store volatile i32 %a, i32 addrspace(3)* %other
  ret void
}
; ==== after
declare spir_func void @_Z7barrierj(i32)
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #0
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 addrspace(3)* %other, i32 %value) {
  store i32 %value, i32 addrspace(3)* %shared, align 4
  %1 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %2 = load volatile i32, i32 addrspace(3)* %other, align 4
  %3 = load volatile i32, i32 addrspace(3)* %shared, align 4
  %4 = add i32 %2, %3
  %5 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  store volatile i32 %4, i32 addrspace(3)* %shared, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store volatile i32 %2, i32 addrspace(3)* %other, align 4
  ret void
}
attributes #0 = { convergent }
