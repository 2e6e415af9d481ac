; A function that is declared keeps its calling convention and its attributes.
declare spir_func i32 @f(i32 addrspace(4)*) #0
define spir_kernel void @k(i32 addrspace(4)* %p) {
  %x = call spir_func i32 @f(i32 addrspace(4)* %p)
  ret void
}
attributes #0 = { convergent nounwind }
; ==== after
declare spir_func i32 @f(i32 addrspace(1)*) #0
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %x = call spir_func i32 @f(i32 addrspace(1)* %p)
  ret void
}
attributes #0 = { convergent nounwind }
