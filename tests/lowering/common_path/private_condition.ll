; What is in private memory may differ between threads, wherever the pointer comes from.
declare void @meet()
define spir_kernel void @k(i32* byval(i32) %n) {
entry:
  %value = load i32, i32* %n
  %isZero = icmp eq i32 %value, 0
  br i1 %isZero, label %some, label %end
some:
  call void @meet()
  br label %end
end:
  ret void
}
; ==== after
declare void @meet()
define spir_kernel void @k(i32* byval(i32) %n) {
entry:
  %value = load i32, i32* %n
  %isZero = icmp eq i32 %value, 0
  br label %some
some:
  call void @meet()
  br label %end
end:
  ret void
}
