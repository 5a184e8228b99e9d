#pragma once
// The compression library, and doors for functions that are macros.
#include <zlib.h>

/// Begins a deflate stream without any wrapping, as archives have it.
static inline int czlib_begin_deflate(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

/// Begins to read a deflate stream without any wrapping.
static inline int czlib_begin_inflate(z_stream *stream) {
  return inflateInit2(stream, -15);
}
