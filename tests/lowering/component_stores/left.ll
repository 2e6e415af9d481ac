; Memory that is written in between, volatile accesses, another place, all components, and a place
; that only the launch knows.
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @k(<2 x i32> addrspace(1)* %p, <2 x i32> addrspace(1)* %q, i32 %x) {
  %a = load <2 x i32>, <2 x i32> addrspace(1)* %p
  store <2 x i32> %a, <2 x i32> addrspace(1)* %q
  %b = insertelement <2 x i32> %a, i32 %x, i32 0
  store <2 x i32> %b, <2 x i32> addrspace(1)* %p
  %c = load <2 x i32>, <2 x i32> addrspace(1)* %p
  call spir_func void @_Z7barrierj(i32 1)
  %d = insertelement <2 x i32> %c, i32 %x, i32 0
  store <2 x i32> %d, <2 x i32> addrspace(1)* %p
  %e = load volatile <2 x i32>, <2 x i32> addrspace(1)* %p
  %f = insertelement <2 x i32> %e, i32 %x, i32 0
  store <2 x i32> %f, <2 x i32> addrspace(1)* %p
  %g = load <2 x i32>, <2 x i32> addrspace(1)* %p
  %h = insertelement <2 x i32> %g, i32 %x, i32 0
  store volatile <2 x i32> %h, <2 x i32> addrspace(1)* %p
  %i = load <2 x i32>, <2 x i32> addrspace(1)* %p
  %j = insertelement <2 x i32> %i, i32 %x, i32 %x
  store <2 x i32> %j, <2 x i32> addrspace(1)* %p
  %k = load <2 x i32>, <2 x i32> addrspace(1)* %p
  %l = shufflevector <2 x i32> %k, <2 x i32> undef, <2 x i32> <i32 1, i32 0>
  store <2 x i32> %l, <2 x i32> addrspace(1)* %p
  ret void
}
; ==== unchanged
