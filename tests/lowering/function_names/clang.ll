; As clang makes it of OpenCL C 1.2.
declare spir_func void @_Z7barrierj(i32) #0
define spir_kernel void @k(float %x) #0 !kernel_arg_name !0 {
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}
attributes #0 = { convergent }
!0 = !{!"x"}
; ==== unchanged
