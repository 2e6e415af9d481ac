; Lane by lane, and a float by way of the double, which has its value.
declare <2 x i16> @toHalf(<2 x float>)
define <2 x i16> @item(<2 x float> %number) {
  %half = call <2 x i16> @toHalf(<2 x float> %number)
  ret <2 x i16> %half
}
; ==== after
declare <2 x i16> @toHalf(<2 x float>)
define <2 x i16> @item(<2 x float> %number) {
  %wide = fpext <2 x float> %number to <2 x double>
  %bits = bitcast <2 x double> %wide to <2 x i64>
  %size = and <2 x i64> %bits, <i64 9223372036854775807, i64 9223372036854775807>
  %upperBits = lshr <2 x i64> %bits, <i64 48, i64 48>
  %sign = and <2 x i64> %upperBits, <i64 32768, i64 32768>
  %upper = lshr <2 x i64> %size, <i64 42, i64 42>
  %isOdd = and <2 x i64> %upper, <i64 1, i64 1>
  %carry = add <2 x i64> %isOdd, <i64 2199023255551, i64 2199023255551>
  %raised = add <2 x i64> %size, %carry
  %shifted = lshr <2 x i64> %raised, <i64 42, i64 42>
  %usual = sub <2 x i64> %shifted, <i64 1032192, i64 1032192>
  %positive = bitcast <2 x i64> %size to <2 x double>
  %sum = fadd <2 x double> %positive, <double 0x41B0000000000000, double 0x41B0000000000000>
  %bitsOfSum = bitcast <2 x double> %sum to <2 x i64>
  %small = sub <2 x i64> %bitsOfSum, <i64 4733283208366391296, i64 4733283208366391296>
  %isNaN = icmp ugt <2 x i64> %size, <i64 9218868437227405312, i64 9218868437227405312>
  %payload = and <2 x i64> %upper, <i64 1023, i64 1023>
  %nan = or <2 x i64> %payload, <i64 32256, i64 32256>
  %infinite = select <2 x i1> %isNaN, <2 x i64> %nan, <2 x i64> <i64 31744, i64 31744>
  %isSmall = icmp ult <2 x i64> %size, <i64 4544132024016830464, i64 4544132024016830464>
  %finite = select <2 x i1> %isSmall, <2 x i64> %small, <2 x i64> %usual
  %isInfinite = icmp uge <2 x i64> %size, <i64 4679237813814689792, i64 4679237813814689792>
  %any = select <2 x i1> %isInfinite, <2 x i64> %infinite, <2 x i64> %finite
  %signed = or <2 x i64> %any, %sign
  %half = trunc <2 x i64> %signed to <2 x i16>
  ret <2 x i16> %half
}
