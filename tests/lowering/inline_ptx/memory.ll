; A vector's elements are loaded one after the other. What a predicate guards is not done without it.
define spir_kernel void @k(i32 addrspace(1)* %p, i32 %n) {
  %v = call { i32, i32 } asm "ld.global.nc.v2.u32 $($0, $1$), [$2 + 8];", "=r,=r,l"(i32 addrspace(1)* %p)
  %x = extractvalue { i32, i32 } %v, 0
  call void asm sideeffect "$( .reg .pred q; setp.ne.s32 q, $1, 0; @q st.global.u32 [$0], $2; $)", "l,r,r,~{memory}"(i32 addrspace(1)* %p, i32 %n, i32 %x)
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %p, i32 %n) {
  %1 = bitcast i32 addrspace(1)* %p to i8 addrspace(1)*
  %2 = getelementptr i8, i8 addrspace(1)* %1, i64 8
  %3 = bitcast i8 addrspace(1)* %2 to i32 addrspace(1)*
  %4 = load i32, i32 addrspace(1)* %3, align 8
  %5 = bitcast i8 addrspace(1)* %2 to i32 addrspace(1)*
  %6 = getelementptr i32, i32 addrspace(1)* %5, i64 1
  %7 = load i32, i32 addrspace(1)* %6, align 4
  %8 = insertvalue { i32, i32 } undef, i32 %4, 0
  %9 = insertvalue { i32, i32 } %8, i32 %7, 1
  %10 = extractvalue { i32, i32 } %9, 0
  %11 = icmp ne i32 %n, 0
  br i1 %11, label %12, label %15
12:
  %13 = bitcast i32 addrspace(1)* %p to i8 addrspace(1)*
  %14 = bitcast i8 addrspace(1)* %13 to i32 addrspace(1)*
  store i32 %10, i32 addrspace(1)* %14, align 4
  br label %15
15:
  ret void
}
