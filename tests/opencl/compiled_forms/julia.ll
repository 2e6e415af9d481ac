; A kernel in the form that Julia's OpenCL.jl gives to llvm-spirv: arrays are structures by value of
; an address as a number, sizes and a length; indices are from 1, and checked.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"
%Array = type { i64, i64, [1 x i64], i64 }
@__spirv_BuiltInGlobalInvocationId = external addrspace(1) constant <3 x i64>, align 32
define spir_kernel void @scale(%Array* byval(%Array) %out, %Array* byval(%Array) %in, i32 %a) {
top:
  %v = load <3 x i64>, <3 x i64> addrspace(1)* @__spirv_BuiltInGlobalInvocationId, align 32
  %i0 = extractelement <3 x i64> %v, i64 0
  %i = add i64 %i0, 1
  %lp = getelementptr inbounds %Array, %Array* %in, i64 0, i32 3
  %len = load i64, i64* %lp
  %neg = icmp slt i64 %len, 0
  %m = select i1 %neg, i64 0, i64 %len
  %im = add i64 %i, -1
  %ok = icmp ult i64 %im, %m
  br i1 %ok, label %inb, label %oob
oob:
  ret void
inb:
  %bp = getelementptr inbounds %Array, %Array* %in, i64 0, i32 0
  %b = load i64, i64* %bp
  %p = inttoptr i64 %b to i32 addrspace(1)*
  %e = getelementptr inbounds i32, i32 addrspace(1)* %p, i64 %im
  %x = load i32, i32 addrspace(1)* %e, align 4
  %r = mul i32 %x, %a
  %op = getelementptr inbounds %Array, %Array* %out, i64 0, i32 0
  %ob = load i64, i64* %op
  %q = inttoptr i64 %ob to i32 addrspace(1)*
  %oe = getelementptr inbounds i32, i32 addrspace(1)* %q, i64 %im
  store i32 %r, i32 addrspace(1)* %oe, align 4
  ret void
}
