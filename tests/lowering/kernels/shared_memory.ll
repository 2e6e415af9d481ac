; Shared memory whose size the launch says is an argument; other shared memory is the kernel's own, by
; its name.
@dynamic = external addrspace(3) global [0 x float], align 4
@tile = internal addrspace(3) global [8 x i32] undef, align 4
define spir_kernel void @k(i32 %n) {
  %a = getelementptr inbounds [0 x float], [0 x float] addrspace(3)* @dynamic, i64 0, i64 1
  store float 1.0, float addrspace(3)* %a
  %b = getelementptr inbounds [8 x i32], [8 x i32] addrspace(3)* @tile, i64 0, i64 2
  store i32 %n, i32 addrspace(3)* %b
  ret void
}
; ==== after
@k.tile = internal addrspace(3) global [8 x i32] undef, align 4
define spir_kernel void @k(i32 %n, float addrspace(3)* %0) {
  %dynamic = bitcast float addrspace(3)* %0 to [0 x float] addrspace(3)*
  %a = getelementptr inbounds [0 x float], [0 x float] addrspace(3)* %dynamic, i64 0, i64 1
  store float 1.0, float addrspace(3)* %a
  %b = getelementptr inbounds [8 x i32], [8 x i32] addrspace(3)* @k.tile, i64 0, i64 2
  store i32 %n, i32 addrspace(3)* %b
  ret void
}
