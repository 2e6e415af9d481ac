; What is computed twice stays: it is not what decides about functions and addresses.
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %p) {
  %a = load i32, i32 addrspace(1)* %p
  %b = load i32, i32 addrspace(1)* %p
  %c = mul i32 %x, 5
  %d = mul i32 %x, 5
  %e = add i32 %a, %c
  %f = add i32 %b, %d
  %g = xor i32 %e, %f
  store i32 %g, i32 addrspace(1)* %p
  ret void
}
; ==== unchanged
