; The events are read from private memory.
%opencl.event_t = type opaque
declare spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i32, %opencl.event_t* addrspace(4)*)
define spir_kernel void @k() {
  %events = alloca %opencl.event_t*
  %generic = addrspacecast %opencl.event_t** %events to %opencl.event_t* addrspace(4)*
  call spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i32 1, %opencl.event_t* addrspace(4)* %generic)
  ret void
}
; ==== after
%opencl.event_t = type opaque
declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, %opencl.event_t**) #0
define spir_kernel void @k() {
  %events = alloca %opencl.event_t*
  %generic = addrspacecast %opencl.event_t** %events to %opencl.event_t* addrspace(4)*
  call spir_func void @_Z17wait_group_eventsiP9ocl_event(i32 1, %opencl.event_t** %events)
  ret void
}
attributes #0 = { nounwind }
