; Calls that clang makes of its builtins: the name has the operation and the bytes.
declare i32 @__atomic_fetch_add_4(i8 addrspace(4)*, i32, i32)
declare i32 @__atomic_fetch_umax_4(i8 addrspace(4)*, i32, i32)
declare i64 @__atomic_exchange_8(i8 addrspace(4)*, i64, i32)
declare i16 @__atomic_load_2(i8 addrspace(4)*, i32)
declare void @__atomic_store_1(i8 addrspace(4)*, i8, i32)
define spir_kernel void @k(i8 addrspace(4)* %p) {
  %a = call i32 @__atomic_fetch_add_4(i8 addrspace(4)* %p, i32 1, i32 5)
  %b = call i32 @__atomic_fetch_umax_4(i8 addrspace(4)* %p, i32 2, i32 5)
  %c = call i64 @__atomic_exchange_8(i8 addrspace(4)* %p, i64 3, i32 5)
  %d = call i16 @__atomic_load_2(i8 addrspace(4)* %p, i32 5)
  call void @__atomic_store_1(i8 addrspace(4)* %p, i8 4, i32 5)
  ret void
}
; ==== after
declare i32 @__atomic_fetch_add_4(i8 addrspace(4)*, i32, i32)
declare i32 @__atomic_fetch_umax_4(i8 addrspace(4)*, i32, i32)
declare i64 @__atomic_exchange_8(i8 addrspace(4)*, i64, i32)
declare i16 @__atomic_load_2(i8 addrspace(4)*, i32)
declare void @__atomic_store_1(i8 addrspace(4)*, i8, i32)
define spir_kernel void @k(i8 addrspace(4)* %p) {
  %word = bitcast i8 addrspace(4)* %p to i32 addrspace(4)*
  %a = atomicrmw add i32 addrspace(4)* %word, i32 1 monotonic, align 4
  %word2 = bitcast i8 addrspace(4)* %p to i32 addrspace(4)*
  %b = atomicrmw umax i32 addrspace(4)* %word2, i32 2 monotonic, align 4
  %wide = bitcast i8 addrspace(4)* %p to i64 addrspace(4)*
  %c = atomicrmw xchg i64 addrspace(4)* %wide, i64 3 monotonic, align 8
  %short = bitcast i8 addrspace(4)* %p to i16 addrspace(4)*
  %d = load volatile i16, i16 addrspace(4)* %short, align 2
  store volatile i8 4, i8 addrspace(4)* %p, align 1
  ret void
}
