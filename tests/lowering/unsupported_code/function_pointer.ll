define spir_kernel void @k(i32 %n, i8 addrspace(1)* %p) {
  %f = inttoptr i32 %n to void ()*
  call void %f()
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses a call through a pointer (a virtual function or a function pointer), which the simulator has not
