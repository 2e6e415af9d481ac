; A constant index of eight bits: 200 is -56, before the array.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

@narrow.array = internal addrspace(3) global [256 x i8] undef, align 1

declare spir_func i64 @_Z13get_global_idj(i32)

define spir_kernel void @narrow(i8 addrspace(1)* %out) !kernel_arg_addr_space !0 {
  %i = tail call spir_func i64 @_Z13get_global_idj(i32 0)
  store i8 5, i8 addrspace(3)* getelementptr ([256 x i8], [256 x i8] addrspace(3)* @narrow.array, i64 0, i64 200)
  %value = load i8, i8 addrspace(3)* getelementptr ([256 x i8], [256 x i8] addrspace(3)* @narrow.array, i64 0, i8 200)
  %to = getelementptr inbounds i8, i8 addrspace(1)* %out, i64 %i
  store i8 %value, i8 addrspace(1)* %to
  ret void
}

!0 = !{i32 1}
