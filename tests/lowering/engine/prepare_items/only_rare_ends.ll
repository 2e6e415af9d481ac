; No end is left that work-items reach together.
declare void @effect()
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = load i64, i64* %values
  %isWrong = icmp ugt i64 %n, 100
  br i1 %isWrong, label %wrong, label %right
wrong:
  call void @effect()
  ret i64 0
right:
  call void @effect()
  ret i64 0
}
; ==== refused: it cannot be vectorised
