; `p->xyz = (x, 1, 2)` by a rearrangement, `q->x = x; q->w = x` by insertions.
define spir_kernel void @k(<4 x float> addrspace(1)* %p, <4 x float> addrspace(1)* %q, float %x) {
  %old = load <4 x float>, <4 x float> addrspace(1)* %p, align 16
  %some = insertelement <3 x float> <float undef, float 1.000000e+00, float 2.000000e+00>, float %x, i32 0
  %wide = shufflevector <3 x float> %some, <3 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 undef>
  %new = shufflevector <4 x float> %wide, <4 x float> %old, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  store <4 x float> %new, <4 x float> addrspace(1)* %p, align 16
  %other = load <4 x float>, <4 x float> addrspace(1)* %q, align 8
  %first = insertelement <4 x float> %other, float %x, i32 0
  %last = insertelement <4 x float> %first, float %x, i32 3
  store <4 x float> %last, <4 x float> addrspace(1)* %q, align 8
  ret void
}
; ==== after
define spir_kernel void @k(<4 x float> addrspace(1)* %p, <4 x float> addrspace(1)* %q, float %x) {
  %a = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %p, i32 0, i32 0
  store float %x, float addrspace(1)* %a, align 16
  %b = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %p, i32 0, i32 1
  store float 1.000000e+00, float addrspace(1)* %b, align 4
  %c = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %p, i32 0, i32 2
  store float 2.000000e+00, float addrspace(1)* %c, align 8
  %d = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %q, i32 0, i32 0
  store float %x, float addrspace(1)* %d, align 8
  %e = getelementptr inbounds <4 x float>, <4 x float> addrspace(1)* %q, i32 0, i32 3
  store float %x, float addrspace(1)* %e, align 4
  ret void
}
