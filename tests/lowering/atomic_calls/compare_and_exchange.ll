; What is expected lies in memory, and gets what was there.
declare i1 @__atomic_compare_exchange_4(i8 addrspace(4)*, i8 addrspace(4)*, i32, i32, i32)
define spir_kernel void @k(i8 addrspace(4)* %p, i8 addrspace(4)* %expected) {
  %done = call i1 @__atomic_compare_exchange_4(i8 addrspace(4)* %p, i8 addrspace(4)* %expected, i32 7, i32 5, i32 5)
  br i1 %done, label %a, label %b
a:
  ret void
b:
  ret void
}
; ==== after
declare i1 @__atomic_compare_exchange_4(i8 addrspace(4)*, i8 addrspace(4)*, i32, i32, i32)
define spir_kernel void @k(i8 addrspace(4)* %p, i8 addrspace(4)* %expected) {
  %place = bitcast i8 addrspace(4)* %expected to i32 addrspace(4)*
  %word = bitcast i8 addrspace(4)* %p to i32 addrspace(4)*
  %old = load i32, i32 addrspace(4)* %place, align 4
  %pair = cmpxchg i32 addrspace(4)* %word, i32 %old, i32 7 monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  store i32 %found, i32 addrspace(4)* %place, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %a, label %b
a:
  ret void
b:
  ret void
}
