; Kernels in the form that chipStar gives to llvm-spirv: generic addresses inside, dynamic shared
; memory as a last argument; a variable of the program lies where the host says, by a kernel.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"
@factor = internal addrspace(1) global i32 addrspace(1)* null, align 8
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @bind_factor(i32 addrspace(1)* %p) {
  store i32 addrspace(1)* %p, i32 addrspace(1)* addrspace(1)* @factor
  ret void
}
define spir_kernel void @size_of_factor(i64 addrspace(1)* %info) {
  store i64 4, i64 addrspace(1)* %info
  %a = getelementptr i64, i64 addrspace(1)* %info, i64 1
  store i64 4, i64 addrspace(1)* %a
  %h = getelementptr i64, i64 addrspace(1)* %info, i64 2
  store i64 0, i64 addrspace(1)* %h
  ret void
}
define spir_kernel void @scale(i32 addrspace(1)* %x, i8 addrspace(3)* %dyn) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %xg = addrspacecast i32 addrspace(1)* %x to i32 addrspace(4)*
  %t0 = bitcast i8 addrspace(3)* %dyn to i32 addrspace(3)*
  %t = addrspacecast i32 addrspace(3)* %t0 to i32 addrspace(4)*
  %f1 = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* @factor
  %fg = addrspacecast i32 addrspace(1)* %f1 to i32 addrspace(4)*
  %f = load i32, i32 addrspace(4)* %fg
  %e = getelementptr i32, i32 addrspace(4)* %xg, i64 %i
  %v = load i32, i32 addrspace(4)* %e
  %te = getelementptr i32, i32 addrspace(4)* %t, i64 %l
  store i32 %v, i32 addrspace(4)* %te
  call spir_func void @_Z7barrierj(i32 1)
  %m = xor i64 %l, 1
  %oe = getelementptr i32, i32 addrspace(4)* %t, i64 %m
  %o = load i32, i32 addrspace(4)* %oe
  %r = mul i32 %o, %f
  store i32 %r, i32 addrspace(4)* %e
  ret void
}
