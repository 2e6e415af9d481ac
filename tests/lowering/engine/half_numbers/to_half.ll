; 42 bits are dropped, after half of what they count, less one if the half is even, has been added.
; Numbers below 2^-14 are rounded to multiples of 2^-24 by a sum with 2^28; from 65520 on, there is
; infinity, and a NaN keeps its sign and upper bits.
declare i16 @toHalf(double)
define i16 @item(double %number) {
  %half = call i16 @toHalf(double %number)
  ret i16 %half
}
; ==== after
declare i16 @toHalf(double)
define i16 @item(double %number) {
  %bits = bitcast double %number to i64
  %size = and i64 %bits, 9223372036854775807
  %upperBits = lshr i64 %bits, 48
  %sign = and i64 %upperBits, 32768
  %upper = lshr i64 %size, 42
  %isOdd = and i64 %upper, 1
  %carry = add i64 %isOdd, 2199023255551
  %raised = add i64 %size, %carry
  %shifted = lshr i64 %raised, 42
  %usual = sub i64 %shifted, 1032192
  %positive = bitcast i64 %size to double
  %sum = fadd double %positive, 0x41B0000000000000
  %bitsOfSum = bitcast double %sum to i64
  %small = sub i64 %bitsOfSum, 4733283208366391296
  %isNaN = icmp ugt i64 %size, 9218868437227405312
  %payload = and i64 %upper, 1023
  %nan = or i64 %payload, 32256
  %infinite = select i1 %isNaN, i64 %nan, i64 31744
  %isSmall = icmp ult i64 %size, 4544132024016830464
  %finite = select i1 %isSmall, i64 %small, i64 %usual
  %isInfinite = icmp uge i64 %size, 4679237813814689792
  %any = select i1 %isInfinite, i64 %infinite, i64 %finite
  %signed = or i64 %any, %sign
  %half = trunc i64 %signed to i16
  ret i16 %half
}
