; Of whole bytes, of a value that is used elsewhere but not truncated, and in a function that is no kernel.
define spir_kernel void @k(i32 %x, i3 %y) {
  %narrow = trunc i32 %x to i8
  switch i8 %narrow, label %second [
    i8 1, label %end
  ]
second:
  %sum = add i3 %y, 1
  switch i3 %sum, label %end [
    i3 2, label %third
  ]
third:
  ret void
end:
  ret void
}
define spir_func void @f(i32 %x) {
  %narrow = trunc i32 %x to i2
  switch i2 %narrow, label %end [
    i2 1, label %other
  ]
other:
  ret void
end:
  ret void
}
; ==== unchanged
