; OpenCL's functions are called for scalars only.
declare <2 x float> @llvm.fma.v2f32(<2 x float>, <2 x float>, <2 x float>)
define spir_kernel void @k(<2 x float> %a, <2 x float> addrspace(1)* %p) {
  %1 = call <2 x float> @llvm.fma.v2f32(<2 x float> %a, <2 x float> %a, <2 x float> %a)
  store <2 x float> %1, <2 x float> addrspace(1)* %p
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses LLVM's function llvm.fma.v2f32, which the simulator has not
