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

// A function that is reached by a pointer in a structure.

/// Copies the head of the index of the write-ahead log, which each commit of any connection changes; 0 where
/// there is none.
///
/// Only for a connection that has read from a database with a shared log: another one would get an index now.
static inline int coredata_log_mark(sqlite3 *database, void *mark, int count) {
  sqlite3_file *file = (sqlite3_file *)0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return 0;
  if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  void volatile *index = (void *)0;
  if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || !index) return 0;
  __builtin_memcpy(mark, (const void *)index, (unsigned long)count);
  return 1;
}

// A function with a variable number of arguments, which Swift cannot call.

/// Turns one of SQLite's settings of a connection on or off: `SQLITE_DBCONFIG_…`.
static inline int coredata_configure(sqlite3 *database, int setting, int on) {
  return sqlite3_db_config(database, setting, on, (int *)0);
}

#endif
