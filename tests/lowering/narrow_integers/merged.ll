; LLVM computes both values in three bits: these are cleared where they are merged. In a function that is no kernel, too.
define spir_func void @f(i32 %x, i32 %y, i1 %c, i32 addrspace(1)* %p) {
  br i1 %c, label %first, label %second
first:
  %a = trunc i32 %x to i3
  br label %merged
second:
  %b = trunc i32 %y to i3
  %three = mul i3 %b, 3
  br label %merged
merged:
  %n = phi i3 [ %a, %first ], [ %three, %second ]
  switch i3 %n, label %end [
    i3 -3, label %five
  ]
five:
  store i32 5, i32 addrspace(1)* %p
  br label %end
end:
  ret void
}
; ==== after
define spir_func void @f(i32 %x, i32 %y, i1 %c, i32 addrspace(1)* %p) {
  br i1 %c, label %first, label %second
first:
  %a = trunc i32 %x to i3
  br label %merged
second:
  %b = trunc i32 %y to i3
  %three = mul i3 %b, 3
  br label %merged
merged:
  %n = phi i3 [ %a, %first ], [ %three, %second ]
  %byte = zext i3 %n to i8
  %bits = and i8 %byte, 7
  switch i8 %bits, label %end [
    i8 5, label %five
  ]
five:
  store i32 5, i32 addrspace(1)* %p
  br label %end
end:
  ret void
}
