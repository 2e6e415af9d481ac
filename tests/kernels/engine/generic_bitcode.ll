; A pointer without an address space, in bitcode that an application brings along.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32)

define spir_kernel void @generic_bitcode(i32 addrspace(1)* %out) !kernel_arg_addr_space !0 {
  %i = tail call spir_func i64 @_Z13get_global_idj(i32 0)
  %to = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %i
  %generic = addrspacecast i32 addrspace(1)* %to to i32 addrspace(4)*
  store i32 5, i32 addrspace(4)* %generic
  ret void
}

!0 = !{i32 1}
