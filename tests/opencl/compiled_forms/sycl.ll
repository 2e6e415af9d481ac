; A kernel in the form that AdaptiveCpp 24.06 gives to llvm-spirv: addresses come in structures by
; value, its body takes generic ones, local memory is a variable of the module. Two kernels share it.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"
%Wrapped = type { i32 addrspace(1)* }
%Captured = type { i64, i32 addrspace(4)*, i32 }
@scratch = internal addrspace(3) global [64 x i32] undef, align 4
@__spirv_BuiltInGlobalInvocationId = external dso_local local_unnamed_addr addrspace(1) constant <3 x i64>, align 32
@__spirv_BuiltInLocalInvocationId = external dso_local local_unnamed_addr addrspace(1) constant <3 x i64>, align 32
declare spir_func void @_Z22__spirv_ControlBarrierjjj(i32, i32, i32)
define internal spir_func void @body(%Captured addrspace(4)* %c, i32 addrspace(4)* %tile) {
  %v = load <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInGlobalInvocationId
  %i = extractelement <3 x i64> %v, i64 0
  %lv = load <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInLocalInvocationId
  %l = extractelement <3 x i64> %lv, i64 0
  %np = getelementptr %Captured, %Captured addrspace(4)* %c, i64 0, i32 0
  %n = load i64, i64 addrspace(4)* %np
  %pp = getelementptr %Captured, %Captured addrspace(4)* %c, i64 0, i32 1
  %p = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(4)* %pp
  %t = getelementptr i32, i32 addrspace(4)* %tile, i64 %l
  %x = getelementptr i32, i32 addrspace(4)* %p, i64 %i
  %xv = load i32, i32 addrspace(4)* %x
  store i32 %xv, i32 addrspace(4)* %t
  call spir_func void @_Z22__spirv_ControlBarrierjjj(i32 2, i32 2, i32 272)
  %m = xor i64 %l, 1
  %o = getelementptr i32, i32 addrspace(4)* %tile, i64 %m
  %ov = load i32, i32 addrspace(4)* %o
  %ap = getelementptr %Captured, %Captured addrspace(4)* %c, i64 0, i32 2
  %a = load i32, i32 addrspace(4)* %ap
  %s = mul i32 %ov, %a
  %in = icmp ult i64 %i, %n
  br i1 %in, label %do, label %end
do:
  store i32 %s, i32 addrspace(4)* %x
  br label %end
end:
  ret void
}
define spir_kernel void @exchange(i64 %n, %Wrapped* byval(%Wrapped) align 8 %w, i32 %a) {
  %c = alloca %Captured
  %cg = addrspacecast %Captured* %c to %Captured addrspace(4)*
  %np = getelementptr %Captured, %Captured* %c, i64 0, i32 0
  store i64 %n, i64* %np
  %wp = getelementptr %Wrapped, %Wrapped* %w, i64 0, i32 0
  %p = load i32 addrspace(1)*, i32 addrspace(1)** %wp
  %pg = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %pp = getelementptr %Captured, %Captured* %c, i64 0, i32 1
  store i32 addrspace(4)* %pg, i32 addrspace(4)** %pp
  %ap = getelementptr %Captured, %Captured* %c, i64 0, i32 2
  store i32 %a, i32* %ap
  %tile = getelementptr [64 x i32], [64 x i32] addrspace(3)* @scratch, i64 0, i64 0
  %tg = addrspacecast i32 addrspace(3)* %tile to i32 addrspace(4)*
  call spir_func void @body(%Captured addrspace(4)* %cg, i32 addrspace(4)* %tg)
  ret void
}
define spir_kernel void @fill(i32 addrspace(1)* %out) {
  %v = load <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInLocalInvocationId
  %l = extractelement <3 x i64> %v, i64 0
  %t = getelementptr [64 x i32], [64 x i32] addrspace(3)* @scratch, i64 0, i64 %l
  store i32 7, i32 addrspace(3)* %t
  %r = load i32, i32 addrspace(3)* %t
  %o = getelementptr i32, i32 addrspace(1)* %out, i64 %l
  store i32 %r, i32 addrspace(1)* %o
  ret void
}
