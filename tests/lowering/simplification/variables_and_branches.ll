; Variables live in registers, also by generic pointers; a condition that is known takes its way.
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %out) {
entry:
  %variable = alloca i32
  %generic = addrspacecast i32* %variable to i32 addrspace(4)*
  store i32 %x, i32 addrspace(4)* %generic
  %mode = alloca i32
  store i32 3, i32* %mode
  %known = load i32, i32* %mode
  %isThree = icmp eq i32 %known, 3
  br i1 %isThree, label %three, label %other
three:
  %same = load i32, i32 addrspace(4)* %generic
  store i32 %same, i32 addrspace(1)* %out
  br label %end
other:
  store i32 0, i32 addrspace(1)* %out
  br label %end
end:
  ret void
}
; ==== after
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %out) {
entry:
  store i32 %x, i32 addrspace(1)* %out
  ret void
}
