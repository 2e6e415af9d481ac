; The format and the strings are in constant memory; the result is the number of arguments.
@format = internal addrspace(2) constant [4 x i8] c"%s\0A\00"
@string = internal addrspace(2) constant [6 x i8] c"hello\00"
declare spir_func i32 @printf(i8 addrspace(4)*, ...)
define spir_kernel void @k(i32 %n, i32 addrspace(1)* %out) {
  %count = call spir_func i32 (i8 addrspace(4)*, ...) @printf(i8 addrspace(4)* addrspacecast (i8 addrspace(2)* getelementptr ([4 x i8], [4 x i8] addrspace(2)* @format, i64 0, i64 0) to i8 addrspace(4)*), i8 addrspace(4)* getelementptr (i8, i8 addrspace(4)* addrspacecast (i8 addrspace(2)* getelementptr ([6 x i8], [6 x i8] addrspace(2)* @string, i64 0, i64 0) to i8 addrspace(4)*), i64 1), i32 %n)
  store i32 %count, i32 addrspace(1)* %out
  ret void
}
; ==== after
@format = internal addrspace(2) constant [4 x i8] c"%s\0A\00"
@string = internal addrspace(2) constant [6 x i8] c"hello\00"
declare spir_func i32 @printf(i8 addrspace(2)*, ...)
define spir_kernel void @k(i32 %n, i32 addrspace(1)* %out) {
  %unused = call spir_func i32 (i8 addrspace(2)*, ...) @printf(i8 addrspace(2)* getelementptr inbounds ([4 x i8], [4 x i8] addrspace(2)* @format, i64 0, i64 0), i8 addrspace(2)* getelementptr inbounds ([6 x i8], [6 x i8] addrspace(2)* @string, i64 0, i64 1), i32 %n)
  store i32 2, i32 addrspace(1)* %out
  ret void
}
