; All work-items would run one by one.
declare void @effect()
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  call void @effect()
  ret i64 0
}
; ==== refused: it cannot be vectorised
