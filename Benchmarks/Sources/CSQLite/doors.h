#include <sqlite3.h>

// The constant SQLITE_STATIC is a cast, which Swift cannot import.
static inline int bind_text_static(sqlite3_stmt *s, int i, const char *text, int count) {
  return sqlite3_bind_text(s, i, text, count, SQLITE_STATIC);
}

#include <malloc.h>

// Not in Swift's picture of the C library.
static inline long allocated_bytes(void) {
  struct mallinfo2 books = mallinfo2();
  return (long)(books.uordblks + books.hblkhd);
}
