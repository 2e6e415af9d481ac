; Work-items cannot share the variable whose address a function gets.
declare void @effect()
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %variable = alloca i64
  %n = call i64 @pure(i64* %variable)
  store i64 %n, i64* %variable
  ret i64 %n
}
declare i64 @pure(i64*) #0
attributes #0 = { nounwind readnone willreturn }
; ==== refused: it cannot be vectorised
