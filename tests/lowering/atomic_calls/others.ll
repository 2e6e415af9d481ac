; Sizes and operations that LLVM has no instruction for: the simulator refuses them later. A function
; with a body is the user's.
declare i128 @__atomic_load_16(i8 addrspace(4)*, i32)
declare i32 @__atomic_fetch_mul_4(i8 addrspace(4)*, i32, i32)
declare i1 @__atomic_is_lock_free(i64, i8 addrspace(4)*)
define spir_func i32 @__atomic_fetch_add_4(i8 addrspace(4)* %p, i32 %v, i32 %order) {
  ret i32 %v
}
define spir_kernel void @k(i8 addrspace(4)* %p) {
  %a = call i128 @__atomic_load_16(i8 addrspace(4)* %p, i32 5)
  %b = call i32 @__atomic_fetch_mul_4(i8 addrspace(4)* %p, i32 2, i32 5)
  %c = call i1 @__atomic_is_lock_free(i64 4, i8 addrspace(4)* %p)
  %d = call spir_func i32 @__atomic_fetch_add_4(i8 addrspace(4)* %p, i32 1, i32 5)
  ret void
}
; ==== unchanged
