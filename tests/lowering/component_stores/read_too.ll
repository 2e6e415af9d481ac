; What is read for itself stays read; of two exchanged components both change.
define spir_kernel void @k(<4 x float> addrspace(1)* %p) {
  %old = load <4 x float>, <4 x float> addrspace(1)* %p, align 16
  %x = extractelement <4 x float> %old, i32 0
  %more = fadd float %x, 1.000000e+00
  %new = insertelement <4 x float> %old, float %more, i32 2
  %exchanged = shufflevector <4 x float> %new, <4 x float> undef, <4 x i32> <i32 1, i32 0, i32 2, i32 3>
  store <4 x float> %exchanged, <4 x float> addrspace(1)* %p, align 16
  ret void
}
; ==== after
define spir_kernel void @k(<4 x float> addrspace(1)* %p) {
  %old = load <4 x float>, <4 x float> addrspace(1)* %p, align 16
  %x = extractelement <4 x float> %old, i32 0
  %more = fadd float %x, 1.000000e+00
  %y = extractelement <4 x float> %old, i64 1
  %a = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %p, i32 0, i32 0
  store float %y, float addrspace(1)* %a, align 16
  %z = extractelement <4 x float> %old, i64 0
  %b = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %p, i32 0, i32 1
  store float %z, float addrspace(1)* %b, align 4
  %c = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %p, i32 0, i32 2
  store float %more, float addrspace(1)* %c, align 8
  ret void
}
