#ifndef COREDATA_CSQLITE_DOORS_H
#define COREDATA_CSQLITE_DOORS_H

#include <sqlite3.h>

// Two of SQLite's constants are casts to function pointers, which Swift cannot import.

/// The caller keeps the bytes alive until the statement is reset or bound anew.
static inline int coredata_bind_text_static(
    sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_STATIC);
}

static inline int coredata_bind_blob_static(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  // A null pointer would bind NULL; an empty blob is another value.
  return bytes ? sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC)
               : sqlite3_bind_zeroblob(statement, index, 0);
}

static inline void coredata_result_text_copied(
    sqlite3_context *context, const char *text, int count) {
  sqlite3_result_text(context, text, count, SQLITE_TRANSIENT);
}

#endif
