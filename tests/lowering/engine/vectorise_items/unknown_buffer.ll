; Nothing tells which buffer is written, so another work-item may read it.
declare void @effect()
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = load i64, i64* %values
  %place = inttoptr i64 %n to i64*
  store i64 1, i64* %place
  ret i64 0
}
; ==== refused: it cannot be vectorised
