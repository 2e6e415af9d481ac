// CRC-32 of IEEE 802.3, bits reflected, eight bytes at a time ("slicing by eight").
//
// The host gives the tables: tables[256 k + b] is what byte b does to the checksum when k bytes
// follow it in the same step. All eight look-ups of a step are independent of each other.
//
// They are in global memory, not in constant memory, which serialises the look-ups of work-items
// that differ; they take 8 KiB and stay in the cache. Copying them to local memory would cost a
// work-group more than most pages have look-ups.

// A work-item computes the checksum of a page, `page` bytes of the message; the last one may be
// shorter. Pages are contiguous, as they are where checksums protect packets or blocks.
kernel void crc32_slice8(const global uchar *restrict message, const uint bytes, const uint page,
                         const global uint *restrict tables, global uint *restrict checksums,
                         const uint pages) {
  const size_t index = get_global_id(0);
  if (index >= pages)
    return;
  const size_t begin = index * page;
  const size_t count = min((size_t)page, bytes - begin);
  message += begin;

  uint crc = ~0u;
  size_t done = 0;
  for (; done + 8 <= count; done += 8) {
    const uchar8 next = vload8(0, message + done);
    crc = tables[7 * 256 + ((crc ^ next.s0) & 0xff)] ^
          tables[6 * 256 + ((crc >> 8 ^ next.s1) & 0xff)] ^
          tables[5 * 256 + ((crc >> 16 ^ next.s2) & 0xff)] ^
          tables[4 * 256 + (crc >> 24 ^ next.s3)] ^
          tables[3 * 256 + next.s4] ^ tables[2 * 256 + next.s5] ^
          tables[1 * 256 + next.s6] ^ tables[0 * 256 + next.s7];
  }
  for (; done < count; ++done)
    crc = tables[(crc ^ message[done]) & 0xff] ^ (crc >> 8);
  checksums[index] = ~crc;
}
