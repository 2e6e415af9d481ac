; Work-items follow one another in x: the id becomes a vector, and so does what is computed with it.
; Where they take different ways, they run one by one; what they execute is counted.
define i64 @item(i8* %state, i64* %values, i64 %first) {
entry:
  %n = load i64, i64* %values
  %twice = shl i64 %n, 1
  %byte = getelementptr i8, i8* %state, i64 {globalId}
  %place = bitcast i8* %byte to i64*
  %id = load i64, i64* %place
  %isFirst = icmp ult i64 %id, %twice
  %instructions = getelementptr i8, i8* %state, i64 {instructions}
  %count = bitcast i8* %instructions to i64*
  %before = load i64, i64* %count
  %after = add i64 %before, 5
  store i64 %after, i64* %count
  %reached = select i1 %isFirst, i64 1, i64 2
  ret i64 %reached
}
; ==== after
define internal i64 @item.wide(i8* %0, i64* %1, i64 %2) {
entry:
  %context = getelementptr i8, i8* %0, i64 {context}
  %contextPlace = bitcast i8* %context to i8**
  %items = getelementptr i8, i8* %0, i64 {items}
  %itemsPlace = bitcast i8* %items to i64*
  %n = load i64, i64* %1, align 8, !invariant.load !0
  %twice = shl i64 %n, 1
  %byte = getelementptr i8, i8* %0, i64 {globalId}
  %place = bitcast i8* %byte to i64*
  %id = load i64, i64* %place, align 8, !invariant.load !0
  %ofFirst = insertelement <8 x i64> poison, i64 %id, i32 0
  %ofAll = shufflevector <8 x i64> %ofFirst, <8 x i64> poison, <8 x i32> zeroinitializer
  %ids = add <8 x i64> %ofAll, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %limit = insertelement <8 x i64> poison, i64 %twice, i32 0
  %limits = shufflevector <8 x i64> %limit, <8 x i64> poison, <8 x i32> zeroinitializer
  %areFirst = icmp ult <8 x i64> %ids, %limits
  %instructions = getelementptr i8, i8* %0, i64 {instructions}
  %reached = select <8 x i1> %areFirst, <8 x i64> <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>, <8 x i64> <i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2>
  %count = bitcast i8* %instructions to i64*
  %sum = load i64, i64* %count, align 8
  %newSum = add i64 %sum, 40
  store i64 %newSum, i64* %count, align 8
  %tables = getelementptr i8, i8* %0, i64 {itemInstructions}
  %tablePlace = bitcast i8* %tables to i64**
  %table = load i64*, i64** %tablePlace, align 8
  %isNotWanted = icmp eq i64* %table, null
  br i1 %isNotWanted, label %counted, label %countItems
bailOut:
  ret i64 -1
countItems:
  %ofItem = getelementptr i64, i64* %table, i64 %2
  %ofItems = bitcast i64* %ofItem to <8 x i64>*
  %olds = load <8 x i64>, <8 x i64>* %ofItems, align 8
  %news = add <8 x i64> %olds, <i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5>
  store <8 x i64> %news, <8 x i64>* %ofItems, align 8
  br label %counted
counted:
  %marks = getelementptr i8, i8* %0, i64 {marks}
  %markPlace = bitcast i8* %marks to i64*
  %markSum = load i64, i64* %markPlace, align 8
  %newMarks = add i64 %markSum, 0
  store i64 %newMarks, i64* %markPlace, align 8
  %one = extractelement <8 x i64> %reached, i64 0
  %oneEach = insertelement <8 x i64> poison, i64 %one, i32 0
  %ones = shufflevector <8 x i64> %oneEach, <8 x i64> poison, <8 x i32> zeroinitializer
  %areEqual = icmp eq <8 x i64> %reached, %ones
  %areAll = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %areEqual)
  br i1 %areAll, label %end, label %bailOut
end:
  ret i64 %one
}
declare i1 @llvm.vector.reduce.and.v8i1(<8 x i1>)
!0 = !{}
