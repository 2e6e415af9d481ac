; The condition keeps its bytes; a conjunction clears the other bits.
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %p) {
  %narrow = trunc i32 %x to i2
  switch i2 %narrow, label %end [
    i2 1, label %one
    i2 -1, label %three
  ]
one:
  store i32 1, i32 addrspace(1)* %p
  br label %end
three:
  store i32 3, i32 addrspace(1)* %p
  br label %end
end:
  ret void
}
; ==== after
define spir_kernel void @k(i32 %x, i32 addrspace(1)* %p) {
  %low = and i32 %x, 3
  switch i32 %low, label %end [
    i32 1, label %one
    i32 3, label %three
  ]
one:
  store i32 1, i32 addrspace(1)* %p
  br label %end
three:
  store i32 3, i32 addrspace(1)* %p
  br label %end
end:
  ret void
}
