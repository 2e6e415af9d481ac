; The exponent's bias changes from 15 to 1023. A subnormal half is a multiple of 2^-24; an infinity or
; a NaN has all bits of the exponent, and the NaN becomes quiet.
declare double @fromHalf(i16)
define double @item(i16 %half) {
  %x = call double @fromHalf(i16 %half)
  ret double %x
}
; ==== after
declare double @fromHalf(i16)
define double @item(i16 %half) {
  %bits = zext i16 %half to i64
  %size = and i64 %bits, 32767
  %signOfHalf = and i64 %bits, 32768
  %sign = shl i64 %signOfHalf, 48
  %shifted = shl i64 %size, 42
  %usual = add i64 %shifted, 4539628424389459968
  %infinite = or i64 %shifted, 9218868437227405312
  %isNaN = icmp ugt i64 %size, 31744
  %quiet = or i64 %infinite, 2251799813685248
  %infiniteOrNaN = select i1 %isNaN, i64 %quiet, i64 %infinite
  %multiple = trunc i64 %size to i32
  %units = uitofp i32 %multiple to double
  %small = fmul double %units, 0x3E70000000000000
  %bitsOfSmall = bitcast double %small to i64
  %isFinite = icmp ult i64 %size, 31744
  %large = select i1 %isFinite, i64 %usual, i64 %infiniteOrNaN
  %isSmall = icmp ult i64 %size, 1024
  %any = select i1 %isSmall, i64 %bitsOfSmall, i64 %large
  %signed = or i64 %any, %sign
  %x = bitcast i64 %signed to double
  ret double %x
}
