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

static inline int coredata_bind_text_copied(
    sqlite3_stmt *statement, int index, const void *text, int count) {
  return sqlite3_bind_text(statement, index, text ? text : "", count, SQLITE_TRANSIENT);
}

static inline int coredata_bind_blob_copied(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return bytes ? sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT)
               : sqlite3_bind_zeroblob(statement, index, 0);
}

static inline void coredata_result_text_copied(
    sqlite3_context *context, const void *text, int count) {
  sqlite3_result_text(context, text ? text : "", count, SQLITE_TRANSIENT);
}

static inline void coredata_result_blob_copied(
    sqlite3_context *context, const void *bytes, int count) {
  if (bytes) {
    sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
  } else {
    sqlite3_result_zeroblob(context, 0);
  }
}

// A function with a variable number of arguments, which Swift cannot call.

/// Turns one of SQLite's settings of a connection on or off: `SQLITE_DBCONFIG_…`.
static inline int coredata_configure(sqlite3 *database, int setting, int on) {
  return sqlite3_db_config(database, setting, on, (int *)0);
}

#endif
