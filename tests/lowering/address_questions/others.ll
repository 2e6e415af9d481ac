; Functions of other names, and the user's own.
declare spir_func i8 addrspace(1)* @to_global(i8 addrspace(4)*)
define spir_func i32 @_Z9get_fencePU3AS4v(i8 addrspace(4)* %p) {
  ret i32 3
}
define spir_kernel void @k(i8 addrspace(4)* %p) {
  %a = call spir_func i8 addrspace(1)* @to_global(i8 addrspace(4)* %p)
  %b = call spir_func i32 @_Z9get_fencePU3AS4v(i8 addrspace(4)* %p)
  ret void
}
; ==== unchanged
