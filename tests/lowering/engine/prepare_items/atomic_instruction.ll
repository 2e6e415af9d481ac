; Nothing is known about it.
declare void @effect()
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = atomicrmw add i64* %values, i64 1 monotonic
  ret i64 0
}
; ==== refused: it cannot be vectorised
