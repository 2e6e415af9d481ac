declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @k(i32 addrspace(1)* %out) {
  call spir_func void @_Z7barrierj(i32 1)
  store i32 1, i32 addrspace(1)* %out, align 4
  ret void
}
; ==== unchanged
