; What looks at the other bits of its operands: extensions, conversions, divisions, shifts.
define spir_kernel void @k(i32 %x, i32 %y, i32 addrspace(1)* %p, float addrspace(1)* %q) {
  %a = trunc i32 %x to i5
  %b = trunc i32 %y to i5
  %sum = add i5 %a, %b
  %unsigned = zext i5 %sum to i32
  store i32 %unsigned, i32 addrspace(1)* %p
  %signed = sext i5 %sum to i32
  store i32 %signed, i32 addrspace(1)* %p
  %real = uitofp i5 %sum to float
  store float %real, float addrspace(1)* %q
  %signedReal = sitofp i5 %sum to float
  store float %signedReal, float addrspace(1)* %q
  %quotient = udiv i5 %sum, 3
  %more = add i5 %quotient, 1
  %rest = srem i5 %sum, %more
  %shifted = shl i5 1, %rest
  %last = zext i5 %shifted to i32
  store i32 %last, i32 addrspace(1)* %p
  ret void
}
; ==== after
define spir_kernel void @k(i32 %x, i32 %y, i32 addrspace(1)* %p, float addrspace(1)* %q) {
  %a = trunc i32 %x to i5
  %b = trunc i32 %y to i5
  %sum = add i5 %a, %b
  %byteSigned = zext i5 %sum to i8
  %high = shl i8 %byteSigned, 3
  %sumSigned = ashr i8 %high, 3
  %byte = zext i5 %sum to i8
  %sumBits = and i8 %byte, 31
  %unsigned = zext i8 %sumBits to i32
  store i32 %unsigned, i32 addrspace(1)* %p
  %signed = sext i8 %sumSigned to i32
  store i32 %signed, i32 addrspace(1)* %p
  %real = uitofp i8 %sumBits to float
  store float %real, float addrspace(1)* %q
  %signedReal = sitofp i8 %sumSigned to float
  store float %signedReal, float addrspace(1)* %q
  %quotientByte = udiv i8 %sumBits, 3
  %quotient = trunc i8 %quotientByte to i5
  %more = add i5 %quotient, 1
  %moreByte = zext i5 %more to i8
  %moreHigh = shl i8 %moreByte, 3
  %moreSigned = ashr i8 %moreHigh, 3
  %restByte = srem i8 %sumSigned, %moreSigned
  %restBits = and i8 %restByte, 31
  %shiftedByte = shl i8 1, %restBits
  %last8 = and i8 %shiftedByte, 31
  %last = zext i8 %last8 to i32
  store i32 %last, i32 addrspace(1)* %p
  ret void
}
