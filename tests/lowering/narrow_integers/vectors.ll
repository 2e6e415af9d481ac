; Every element.
define spir_kernel void @k(<4 x i32> %v, <4 x i3> %w, <4 x i8> addrspace(1)* %p) {
  %few = trunc <4 x i32> %v to <4 x i2>
  %some = and <4 x i2> %few, <i2 -2, i2 -2, i2 -2, i2 -2>
  %same = icmp eq <4 x i2> %some, <i2 0, i2 -2, i2 0, i2 -2>
  %isBelow = icmp slt <4 x i3> %w, <i3 -4, i3 3, i3 2, i3 1>
  %both = and <4 x i1> %same, %isBelow
  %bytes = zext <4 x i1> %both to <4 x i8>
  store <4 x i8> %bytes, <4 x i8> addrspace(1)* %p
  ret void
}
; ==== after
define spir_kernel void @k(<4 x i32> %v, <4 x i3> %w, <4 x i8> addrspace(1)* %p) {
  %wBytes = zext <4 x i3> %w to <4 x i8>
  %wHigh = shl <4 x i8> %wBytes, <i8 5, i8 5, i8 5, i8 5>
  %wSigned = ashr <4 x i8> %wHigh, <i8 5, i8 5, i8 5, i8 5>
  %some = and <4 x i32> %v, <i32 2, i32 2, i32 2, i32 2>
  %same = icmp eq <4 x i32> %some, <i32 0, i32 2, i32 0, i32 2>
  %isBelow = icmp slt <4 x i8> %wSigned, <i8 -4, i8 3, i8 2, i8 1>
  %both = and <4 x i1> %same, %isBelow
  %bytes = zext <4 x i1> %both to <4 x i8>
  store <4 x i8> %bytes, <4 x i8> addrspace(1)* %p
  ret void
}
