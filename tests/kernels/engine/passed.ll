; An array in local memory through a function that returns its argument, and says so: LLVM sees the
; array in the result of the call.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

@passed.array = internal addrspace(3) global [16 x i32] undef, align 4

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

define spir_func [16 x i32] addrspace(3)* @same([16 x i32] addrspace(3)* returned %array) noinline {
  ret [16 x i32] addrspace(3)* %array
}

; Each work-item stores its global id at its place, and reads it back through the function.
define spir_kernel void @passed(i32 addrspace(1)* %out) !kernel_arg_addr_space !0 {
  %i = tail call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = tail call spir_func i64 @_Z12get_local_idj(i32 0)
  %id = trunc i64 %i to i32
  %place = getelementptr inbounds [16 x i32], [16 x i32] addrspace(3)* @passed.array, i64 0, i64 %l
  store i32 %id, i32 addrspace(3)* %place, align 4
  %array = tail call spir_func [16 x i32] addrspace(3)* @same([16 x i32] addrspace(3)* @passed.array)
  %again = getelementptr inbounds [16 x i32], [16 x i32] addrspace(3)* %array, i64 0, i64 %l
  %value = load i32, i32 addrspace(3)* %again, align 4
  %to = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %i
  store i32 %value, i32 addrspace(1)* %to, align 4
  ret void
}

!0 = !{i32 1}
