; What the last of many blocks of a loop writes, the first one reads.
define spir_kernel void @k(i32 addrspace(3)* %shared, i1 %again) {
entry:
  br label %b0
b0:
  %a = load volatile i32, i32 addrspace(3)* %shared
  br label %b1
b1:
  br label %b2
b2:
  br label %b3
b3:
  br label %b4
b4:
  br label %b5
b5:
  br label %b6
b6:
  br label %b7
b7:
  br label %b8
b8:
  br label %b9
b9:
  br label %b10
b10:
  br label %b11
b11:
  br label %b12
b12:
  br label %b13
b13:
  br label %b14
b14:
  br label %b15
b15:
  br label %b16
b16:
  br label %b17
b17:
  br label %b18
b18:
  br label %b19
b19:
  br label %b20
b20:
  br label %b21
b21:
  br label %b22
b22:
  br label %b23
b23:
  br label %b24
b24:
  br label %b25
b25:
  br label %b26
b26:
  br label %b27
b27:
  br label %b28
b28:
  br label %b29
b29:
  br label %b30
b30:
  br label %b31
b31:
  br label %b32
b32:
  br label %b33
b33:
  br label %b34
b34:
  br label %b35
b35:
  br label %b36
b36:
  br label %b37
b37:
  br label %b38
b38:
  br label %b39
b39:
  br label %b40
b40:
  br label %b41
b41:
  br label %b42
b42:
  br label %b43
b43:
  br label %b44
b44:
  br label %b45
b45:
  br label %b46
b46:
  br label %b47
b47:
  br label %b48
b48:
  br label %b49
b49:
  br label %b50
b50:
  br label %b51
b51:
  br label %b52
b52:
  br label %b53
b53:
  br label %b54
b54:
  br label %b55
b55:
  br label %b56
b56:
  br label %b57
b57:
  br label %b58
b58:
  br label %b59
b59:
  br label %b60
b60:
  store volatile i32 1, i32 addrspace(3)* %shared
  br i1 %again, label %b0, label %end
end:
  ret void
}
; ==== after
declare i32 @__aiwc_meet(i32, i32, i32, i32, i32, i32, i32) #0
define spir_kernel void @k(i32 addrspace(3)* %shared, i1 %again) {
  br label %1
1:
  %2 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  %3 = load volatile i32, i32 addrspace(3)* %shared, align 4
  br label %4
4:
  br label %5
5:
  br label %6
6:
  br label %7
7:
  br label %8
8:
  br label %9
9:
  br label %10
10:
  br label %11
11:
  br label %12
12:
  br label %13
13:
  br label %14
14:
  br label %15
15:
  br label %16
16:
  br label %17
17:
  br label %18
18:
  br label %19
19:
  br label %20
20:
  br label %21
21:
  br label %22
22:
  br label %23
23:
  br label %24
24:
  br label %25
25:
  br label %26
26:
  br label %27
27:
  br label %28
28:
  br label %29
29:
  br label %30
30:
  br label %31
31:
  br label %32
32:
  br label %33
33:
  br label %34
34:
  br label %35
35:
  br label %36
36:
  br label %37
37:
  br label %38
38:
  br label %39
39:
  br label %40
40:
  br label %41
41:
  br label %42
42:
  br label %43
43:
  br label %44
44:
  br label %45
45:
  br label %46
46:
  br label %47
47:
  br label %48
48:
  br label %49
49:
  br label %50
50:
  br label %51
51:
  br label %52
52:
  br label %53
53:
  br label %54
54:
  br label %55
55:
  br label %56
56:
  br label %57
57:
  br label %58
58:
  br label %59
59:
  br label %60
60:
  br label %61
61:
  br label %62
62:
  br label %63
63:
  %64 = call i32 @__aiwc_meet(i32 0, i32 0, i32 0, i32 0, i32 0, i32 32, i32 0)
  store volatile i32 1, i32 addrspace(3)* %shared, align 4
  br i1 %again, label %1, label %65
65:
  ret void
}
attributes #0 = { convergent }
