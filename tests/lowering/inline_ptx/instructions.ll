; Each instruction of PTX becomes those of LLVM: a function of three words by its truth table, and a
; sum, of which the register `$0` has the value before.
define spir_kernel void @k(i32 addrspace(1)* %out, i32 %a, i32 %b, i32 %c) {
  %x = call i32 asm "lop3.b32 $0, $1, $2, $3, 0x96;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  %y = call i32 asm "add.s32 $0, $0, 0x10;", "=r,0"(i32 %x)
  store i32 %y, i32 addrspace(1)* %out
  ret void
}
; ==== after
define spir_kernel void @k(i32 addrspace(1)* %out, i32 %a, i32 %b, i32 %c) {
  %1 = xor i32 %b, %c
  %2 = xor i32 %a, %1
  %3 = add i32 %2, 16
  store i32 %3, i32 addrspace(1)* %out, align 4
  ret void
}
