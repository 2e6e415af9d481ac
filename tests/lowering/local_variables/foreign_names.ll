; Each kernel gets local variables of its own, which it is the beginning of the names of. A name is
; without the function around it.
@_ZZ1kPiE4tile = internal addrspace(3) global [4 x i32] undef, align 16
define spir_kernel void @one(i32 %n) {
  %place = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @_ZZ1kPiE4tile, i64 0, i64 1
  store i32 %n, i32 addrspace(3)* %place
  ret void
}
define spir_kernel void @two(i32 %n) {
  store i32 %n, i32 addrspace(3)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(3)* @_ZZ1kPiE4tile, i64 0, i64 2)
  ret void
}
; ==== after
@_ZZ1kPiE4tile = internal addrspace(3) global [4 x i32] undef, align 16
@one.tile = internal addrspace(3) global [4 x i32] undef, align 16
@two.tile = internal addrspace(3) global [4 x i32] undef, align 16
define spir_kernel void @one(i32 %n) {
  %place = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @one.tile, i64 0, i64 1
  store i32 %n, i32 addrspace(3)* %place
  ret void
}
define spir_kernel void @two(i32 %n) {
  %place = getelementptr inbounds [4 x i32], [4 x i32] addrspace(3)* @two.tile, i64 0, i64 2
  store i32 %n, i32 addrspace(3)* %place
  ret void
}
