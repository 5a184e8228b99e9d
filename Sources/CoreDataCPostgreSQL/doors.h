#ifndef COREDATA_CPOSTGRESQL_DOORS_H
#define COREDATA_CPOSTGRESQL_DOORS_H

#include <libpq-fe.h>
#include <locale.h>

/// Keeps the server's notices from the standard error.
static inline void coredata_silence_notice(void *argument, const char *message) {
  (void)argument;
  (void)message;
}

static inline void coredata_silence(PGconn *connection) {
  PQsetNoticeProcessor(connection, coredata_silence_notice, (void *)0);
}

/// The locales of a thread: the one that it has, and the one that it had.
typedef struct {
  locale_t own, before;
} coredata_locales;

/// Has the calling thread see the messages of libraries in English, whatever language the program speaks.
static inline coredata_locales coredata_begin_english(void) {
  coredata_locales locales;
  locale_t base = duplocale(uselocale((locale_t)0));
  locales.own = base ? newlocale(LC_MESSAGES_MASK, "C", base) : base;
  if (base && !locales.own) freelocale(base);
  locales.before = locales.own ? uselocale(locales.own) : (locale_t)0;
  return locales;
}

/// Gives the thread the language back that it had.
static inline void coredata_end_english(coredata_locales locales) {
  if (!locales.own) return;
  uselocale(locales.before);
  freelocale(locales.own);
}

// The codes of an error's fields are characters, which Swift does not import as numbers.

static inline const char *coredata_sqlstate(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *coredata_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/// The function of the server that has refused, which has one name in all languages.
static inline const char *coredata_routine(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
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
