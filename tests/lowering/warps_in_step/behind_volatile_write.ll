; Also an access that is not volatile relies on a volatile write before it. A pointer from memory may
; lead to shared memory.
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 addrspace(4)* addrspace(1)* %pointers) {
  %unknown = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %pointers
  store volatile i32 1, i32 addrspace(4)* %unknown
  %a = load i32, i32 addrspace(3)* %shared
  store i32 %a, i32 addrspace(3)* %shared
  ret void
}
; ==== after
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #0
define spir_kernel void @k(i32 addrspace(3)* %shared, i32 addrspace(4)* addrspace(1)* %pointers) {
  %1 = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %pointers, align 8
  store volatile i32 1, i32 addrspace(4)* %1, align 4
  %2 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %3 = load i32, i32 addrspace(3)* %shared, align 4
  store i32 %3, i32 addrspace(3)* %shared, align 4
  ret void
}
attributes #0 = { convergent }
