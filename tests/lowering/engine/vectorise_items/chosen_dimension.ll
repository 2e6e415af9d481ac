; An id of a dimension that the code chooses.
declare void @effect()
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = load i64, i64* %values
  %ids = getelementptr i8, i8* %state, i64 {globalId}
  %id = bitcast i8* %ids to i64*
  %place = getelementptr i64, i64* %id, i64 %n
  %x = load i64, i64* %place
  ret i64 %x
}
; ==== refused: it cannot be vectorised
