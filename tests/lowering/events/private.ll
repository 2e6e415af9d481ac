%opencl.event_t = type opaque
declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, %opencl.event_t**)
define spir_kernel void @k() {
  %events = alloca %opencl.event_t*
  call spir_func void @_Z17wait_group_eventsiP9ocl_event(i32 1, %opencl.event_t** %events)
  ret void
}
; ==== unchanged
