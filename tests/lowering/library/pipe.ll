; OpenCL C 2 has what neither the simulator nor the library of builtins has.
%opencl.pipe_ro_t = type opaque
declare spir_func i32 @__read_pipe_2(%opencl.pipe_ro_t addrspace(1)*, i8 addrspace(4)*, i32, i32)
define spir_kernel void @k(%opencl.pipe_ro_t addrspace(1)* %p, i8 addrspace(4)* %q) {
  %a = call spir_func i32 @__read_pipe_2(%opencl.pipe_ro_t addrspace(1)* %p, i8 addrspace(4)* %q, i32 4, i32 4)
  ret void
}
; ==== refused: kernels.cl:0: error: kernel 'k' uses pipes (__read_pipe_2), which the simulator has not
