; The type of an object that is copied changes with that of its argument.
%s = type { i32 addrspace(4)* }
define spir_kernel void @k(%s* byval(%s) %object) {
  %place = getelementptr inbounds %s, %s* %object, i64 0, i32 0
  %p = load i32 addrspace(4)*, i32 addrspace(4)** %place, align 8
  store i32 1, i32 addrspace(4)* %p, align 4
  ret void
}
; ==== after
%s = type { i32 addrspace(1)* }
define spir_kernel void @k(%s* byval(%s) %object) {
  %place = getelementptr inbounds %s, %s* %object, i64 0, i32 0
  %p = load i32 addrspace(1)*, i32 addrspace(1)** %place, align 8
  store i32 1, i32 addrspace(1)* %p, align 4
  ret void
}
