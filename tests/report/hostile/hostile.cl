// Names and text that a page must show as text. </script><script>document.title="broken"</script>
// &lt; &amp; <!-- <img src=x onerror=alert(1)> ÿþ not UTF-8  Ã( "quoted" `back` ${document}
kernel void __proto__(global float *a, int n) {
  size_t i = get_global_id(0);
  float sum = 0; // </textarea></style></title>
  for (int k = 0; k < n; ++k)
    sum += a[(i * 17 + k) & 63] * 2.0f;
  a[i] = sum;
}
