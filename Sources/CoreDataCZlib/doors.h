#ifndef COREDATA_CZLIB_DOORS_H
#define COREDATA_CZLIB_DOORS_H

#include <string.h>
#include <zlib.h>

// zlib's initialisers are macros, which Swift cannot import. A negative window size means raw
// DEFLATE: no header and no checksum.

static inline int coredata_inflate_init_raw(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, -15);
}

static inline int coredata_deflate_init_raw(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

// 15 bits of window, and 16 for the wrapping of gzip.
static inline int coredata_deflate_init_gzip(z_stream *stream, int level) {
  memset(stream, 0, sizeof *stream);
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// Compresses bytes as a gzip stream. Returns its size, or 0 if it does not fit into the capacity.
static inline size_t coredata_gzip(const void *bytes, uInt size, void *target, uInt capacity, int level) {
  z_stream stream;
  if (coredata_deflate_init_gzip(&stream, level) != Z_OK) return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = size;
  stream.next_out = target;
  stream.avail_out = capacity;
  int result = deflate(&stream, Z_FINISH);
  size_t written = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? written : 0;
}

static inline int coredata_inflate_init_gzip(z_stream *stream) {
  memset(stream, 0, sizeof *stream);
  return inflateInit2(stream, 15 + 16);
}

#endif
