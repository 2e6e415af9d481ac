; Of whole bytes, truth values, and what does not look at the other bits.
define spir_kernel void @k(i32 %x, i3 %y, i32 addrspace(1)* %p) {
  %narrow = trunc i32 %x to i8
  switch i8 %narrow, label %second [
    i8 1, label %end
  ]
second:
  %positive = icmp sgt i32 %x, 0
  %one = zext i1 %positive to i32
  store i32 %one, i32 addrspace(1)* %p
  %sum = add i3 %y, 1
  %twice = shl i3 %sum, 1
  %fewer = trunc i3 %twice to i2
  %which = select i1 %positive, i2 %fewer, i2 1
  ret void
end:
  ret void
}
; ==== unchanged
