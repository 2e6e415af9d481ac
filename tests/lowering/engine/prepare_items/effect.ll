; Work-items run one by one from a call on that may do anything: what is before it in its block counts
; for nothing.
declare void @effect(i64)
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = load i64, i64* %values
  %isLarge = icmp ugt i64 %n, 100
  br i1 %isLarge, label %large, label %small
large:
  %m = mul i64 %n, 3
  call void @effect(i64 %m)
  ret i64 0
small:
  ret i64 0
}
; ==== after
declare void @effect(i64)
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %context = getelementptr i8, i8* %state, i64 {context}
  %contextPlace = bitcast i8* %context to i8**
  %items = getelementptr i8, i8* %state, i64 {items}
  %itemsPlace = bitcast i8* %items to i64*
  %n = load i64, i64* %values, align 8, !invariant.load !0
  %isLarge = icmp ugt i64 %n, 100
  br i1 %isLarge, label %end, label %small
end:
  %reached = phi i64 [ 0, %small ], [ -1, %entry ]
  ret i64 %reached
small:
  %instructions = getelementptr i8, i8* %state, i64 {instructions}
  %place = bitcast i8* %instructions to i64*
  store i64 0, i64* %place, align 8, !aiwc.live !0
  %marks = getelementptr i8, i8* %state, i64 {marks}
  %other = bitcast i8* %marks to i64*
  store i64 0, i64* %other, align 8, !aiwc.live !0
  br label %end
}
!0 = !{}
