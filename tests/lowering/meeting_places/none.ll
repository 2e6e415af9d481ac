define spir_kernel void @k(i32 addrspace(1)* %out) {
  store i32 1, i32 addrspace(1)* %out
  ret void
}
; ==== unchanged
