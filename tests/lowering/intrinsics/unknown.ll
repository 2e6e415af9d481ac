declare i64 @llvm.readcyclecounter()
define spir_kernel void @k(i64 addrspace(1)* %p) {
  %1 = call i64 @llvm.readcyclecounter()
  store i64 %1, i64 addrspace(1)* %p
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses LLVM's function llvm.readcyclecounter, which the simulator has not
