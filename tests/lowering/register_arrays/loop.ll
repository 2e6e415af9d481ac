; A loop over the elements of an array, inside one over tiles, which stays: the array is in registers.
define spir_kernel void @k(i64 %tiles, float addrspace(1)* %out) {
entry:
  %x = alloca [2 x float]
  br label %tile
tile:
  %t = phi i64 [ 0, %entry ], [ %nextTile, %last ]
  br label %element
element:
  %i = phi i32 [ 0, %tile ], [ %next, %element ]
  %index = sext i32 %i to i64
  %there = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 %index
  %outside = getelementptr float, float addrspace(1)* %out, i64 %index
  %value = load float, float addrspace(1)* %outside
  store float %value, float* %there
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 2
  br i1 %again, label %element, label %last
last:
  %first = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 0
  %a = load float, float* %first
  %second = getelementptr [2 x float], [2 x float]* %x, i64 0, i64 1
  %b = load float, float* %second
  %difference = fsub float %a, %b
  store float %difference, float addrspace(1)* %out
  %nextTile = add i64 %t, 1
  %more = icmp ult i64 %nextTile, %tiles
  br i1 %more, label %tile, label %end
end:
  ret void
}
; ==== after
define spir_kernel void @k(i64 %tiles, float addrspace(1)* %out) {
  %1 = getelementptr float, float addrspace(1)* %out, i64 1
  %2 = load float, float addrspace(1)* %1, align 4
  %3 = load float, float addrspace(1)* %out, align 4
  br label %4
4:
  %5 = phi float [ %3, %0 ], [ %7, %4 ]
  %6 = phi i64 [ 0, %0 ], [ %8, %4 ]
  %7 = fsub float %5, %2
  %8 = add i64 %6, 1
  %9 = icmp ult i64 %8, %tiles
  br i1 %9, label %4, label %10
10:
  store float %7, float addrspace(1)* %out, align 4
  ret void
}
