#ifndef COREDATA_CPOSTGRESQL_DOORS_H
#define COREDATA_CPOSTGRESQL_DOORS_H

#include <libpq-fe.h>

/// Keeps the server's notices from the standard error.
static inline void coredata_silence_notice(void *argument, const char *message) {
  (void)argument;
  (void)message;
}

static inline void coredata_silence(PGconn *connection) {
  PQsetNoticeProcessor(connection, coredata_silence_notice, (void *)0);
}

// The codes of an error's fields are characters, which Swift does not import as numbers.

static inline const char *coredata_sqlstate(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *coredata_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline const char *coredata_constraint(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

static inline const char *coredata_hint(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
}

static inline const char *coredata_position(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
}

#endif
