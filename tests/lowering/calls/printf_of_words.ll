; A string in an array of words begins at a byte of them.
@format = internal addrspace(2) constant [4 x i8] c"%s\0A\00"
@words = internal addrspace(2) constant [2 x i32] [i32 1819043176, i32 111]
declare spir_func i32 @printf(i8 addrspace(4)*, ...)
define spir_kernel void @k() {
  %count = call spir_func i32 (i8 addrspace(4)*, ...) @printf(i8 addrspace(4)* addrspacecast (i8 addrspace(2)* getelementptr ([4 x i8], [4 x i8] addrspace(2)* @format, i64 0, i64 0) to i8 addrspace(4)*), i8 addrspace(4)* getelementptr (i8, i8 addrspace(4)* addrspacecast (i8 addrspace(2)* bitcast ([2 x i32] addrspace(2)* @words to i8 addrspace(2)*) to i8 addrspace(4)*), i64 1))
  ret void
}
; ==== after
@format = internal addrspace(2) constant [4 x i8] c"%s\0A\00"
@words = internal addrspace(2) constant [2 x i32] [i32 1819043176, i32 111]
declare spir_func i32 @printf(i8 addrspace(2)*, ...)
define spir_kernel void @k() {
  %unused = call spir_func i32 (i8 addrspace(2)*, ...) @printf(i8 addrspace(2)* getelementptr inbounds ([4 x i8], [4 x i8] addrspace(2)* @format, i64 0, i64 0), i8 addrspace(2)* getelementptr (i8, i8 addrspace(2)* bitcast ([2 x i32] addrspace(2)* @words to i8 addrspace(2)*), i64 1))
  ret void
}
