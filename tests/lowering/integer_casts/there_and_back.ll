; The pointer that an integer was made of takes the place of one that is made of the integer.
define spir_kernel void @k(i32 addrspace(1)* %p, i8 addrspace(4)* %q) {
  %n = ptrtoint i32 addrspace(1)* %p to i64
  %a = inttoptr i64 %n to i32 addrspace(4)*
  store i32 1, i32 addrspace(4)* %a
  %m = ptrtoint i8 addrspace(4)* %q to i64
  %b = inttoptr i64 %m to i16 addrspace(4)*
  store i16 2, i16 addrspace(4)* %b
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p, i8 addrspace(4)* %q) {
  %n = ptrtoint i32 addrspace(1)* %p to i64
  %a = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  store i32 1, i32 addrspace(4)* %a
  %m = ptrtoint i8 addrspace(4)* %q to i64
  %b = bitcast i8 addrspace(4)* %q to i16 addrspace(4)*
  store i16 2, i16 addrspace(4)* %b
  ret void
}
