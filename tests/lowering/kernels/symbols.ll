; A kernel gets the buffers that have the symbols that it uses; a symbol is a member of its buffer.
; Padding keeps the alignment.
@flag = addrspace(1) global i8 1, align 1
@number = addrspace(1) global double 2.0, align 8
@coefficient = addrspace(2) externally_initialized global float 3.0, align 4
define spir_kernel void @uses_both(i32 addrspace(1)* %out) {
  %x = load double, double addrspace(1)* @number
  %y = load float, float addrspace(2)* @coefficient
  store double %x, double addrspace(1)* @number
  store i8 2, i8 addrspace(1)* @flag
  ret void
}
define spir_kernel void @uses_none(i32 addrspace(1)* %out) {
  ret void
}
; ==== after
%device_variables = type <{ i8, [7 x i8], double }>
%constant_variables = type <{ float }>
define spir_kernel void @uses_both(i32 addrspace(1)* %out, %device_variables addrspace(1)* %0, %constant_variables addrspace(2)* %1) {
  %number = getelementptr inbounds %device_variables, %device_variables addrspace(1)* %0, i32 0, i32 2
  %x = load double, double addrspace(1)* %number
  %coefficient = getelementptr inbounds %constant_variables, %constant_variables addrspace(2)* %1, i32 0, i32 0
  %y = load float, float addrspace(2)* %coefficient
  %again = getelementptr inbounds %device_variables, %device_variables addrspace(1)* %0, i32 0, i32 2
  store double %x, double addrspace(1)* %again
  %flag = getelementptr inbounds %device_variables, %device_variables addrspace(1)* %0, i32 0, i32 0
  store i8 2, i8 addrspace(1)* %flag
  ret void
}
define spir_kernel void @uses_none(i32 addrspace(1)* %out) {
  ret void
}
