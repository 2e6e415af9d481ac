; With a constant, of two integers of different sources, of an argument, and of signed integers.
define spir_kernel void @k(i64 %x, i32 %y, i4 %argument, i8 addrspace(1)* %p) {
  %a = trunc i64 %x to i2
  %isZero = icmp eq i2 %a, 0
  %b = trunc i32 %y to i2
  %isLess = icmp ult i2 %a, %b
  %c = trunc i32 %y to i4
  %isBelow = icmp slt i4 %c, -2
  %isSame = icmp eq i4 %c, %argument
  %one = and i1 %isZero, %isLess
  %two = and i1 %isBelow, %isSame
  %all = and i1 %one, %two
  %byte = zext i1 %all to i8
  store i8 %byte, i8 addrspace(1)* %p
  ret void
}
; ==== after
define spir_kernel void @k(i64 %x, i32 %y, i4 %argument, i8 addrspace(1)* %p) {
  %argumentByte = zext i4 %argument to i8
  %argumentBits = and i8 %argumentByte, 15
  %a = and i64 %x, 3
  %isZero = icmp eq i64 %a, 0
  %b = and i32 %y, 3
  %bWide = zext i32 %b to i64
  %isLess = icmp ult i64 %a, %bWide
  %c = and i32 %y, 15
  %cHigh = shl i32 %y, 28
  %cSigned = ashr i32 %cHigh, 28
  %isBelow = icmp slt i32 %cSigned, -2
  %argumentWide = zext i8 %argumentBits to i32
  %isSame = icmp eq i32 %c, %argumentWide
  %one = and i1 %isZero, %isLess
  %two = and i1 %isBelow, %isSame
  %all = and i1 %one, %two
  %byte = zext i1 %all to i8
  store i8 %byte, i8 addrspace(1)* %p
  ret void
}
