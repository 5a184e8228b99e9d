#pragma once
// The compression library, and a door for a function that is a macro.
#include <zlib.h>

/// Begins a gzip stream: 15 bits of window, 16 for the gzip wrapping.
static inline int czlib_begin_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
