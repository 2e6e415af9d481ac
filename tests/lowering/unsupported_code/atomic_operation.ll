declare i32 @__atomic_fetch_mul_4(i8 addrspace(1)*, i32)
define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %a = call i32 @__atomic_fetch_mul_4(i8 addrspace(1)* %p, i32 1)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses the atomic operation fetch_mul_4, which the simulator has not
