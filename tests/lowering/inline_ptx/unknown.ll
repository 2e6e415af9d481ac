; Instructions and forms that are not known are refused by their name.
define spir_kernel void @k(i32 %a) {
  %x = call i32 asm "vshr.u32.u32.u32.clamp.add $0, $1, $1, $1;", "=r,r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the PTX instruction vshr.u32.u32.u32.clamp.add, which the simulator has not
define spir_kernel void @k(i32 %a) {
  %x = call i32 asm "add.cc.u32 $0, $1, $1;", "=r,r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the PTX instruction add.cc.u32, which the simulator has not
define spir_kernel void @k(i32 %a) {
  %x = call i32 asm "mov.u32 $0, %nsmid;", "=r"()
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the register %nsmid, which the simulator has not
define spir_kernel void @k(i32 %a) {
  call void asm sideeffect "st.shared.u32 [$0], $0;", "r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with an address of shared memory that is not computed of that of one variable, which the simulator has not
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %x = call i32 asm "st.global.u32 [$1], 3;", "=r,l"(i32 addrspace(1)* %p)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the operand 0, which gets no value, which the simulator has not
define spir_kernel void @k(i32 %a) {
  %x = call i64 asm "mov.b64 $0, $($1, $1, $1$);", "=r,r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the PTX instruction mov.b64, which the simulator has not
define spir_kernel void @k(i32 %a) {
  %x = call float asm "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 $($0, $0, $0, $0$), $($1, $1, $1, $1$), $($1, $1$), $($0, $0, $0, $0$);", "=f,r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the PTX instruction mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32, which the simulator has not
define spir_kernel void @k(i32 %a) {
  %x = call float asm "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 $($0, $0, $0, $0$), $($1, $1, $1, $1$), $($1, $1$), $($0, $0, $0, $0$);", "=f,r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the PTX instruction mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32, which the simulator has not
define spir_kernel void @k(i32 %a) {
  %x = call float asm "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 $($0$), [$1];", "=f,r"(i32 %a)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses inline assembly with the PTX instruction ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8, which the simulator has not
