#ifndef COREDATA_CMICROHTTPD_DOORS_H
#define COREDATA_CMICROHTTPD_DOORS_H

// The HTTP server library, and doors for its functions with variable arguments.
#include <microhttpd.h>
#include <stdbool.h>
#include <sys/socket.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Who is called when, and with what.
struct coredata_http_callbacks {
  MHD_LogCallback log;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *context;
};

/// Begins to serve on a socket that listens already, with a thread for each connection.
static inline struct MHD_Daemon *coredata_http_start(
    MHD_socket socket, struct coredata_http_callbacks callbacks, unsigned int connections,
    unsigned int idle_seconds) {
  void *context = callbacks.context;
  return MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL |
          MHD_USE_ITC | MHD_USE_ERROR_LOG,
      0, NULL, NULL, callbacks.access, context,
      // First, so that no line goes elsewhere.
      MHD_OPTION_EXTERNAL_LOGGER, callbacks.log, context,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks.target, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, context,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 << 10),
      MHD_OPTION_THREAD_STACK_SIZE, (size_t)(2 << 20),
      MHD_OPTION_END);
}

/// Has pieces of memory from this size on given back to the system when they are freed, where that is not so anyway.
static inline void coredata_http_return_memory(int size) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, size);
#endif
}

/// Whether the fields of a request are complete.
static inline bool coredata_http_has_whole_head(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

static inline int coredata_http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// What was kept with a connection when it began.
static inline void *coredata_http_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/// Sends bytes past the library, as many as the line takes at once, and nothing after them.
static inline void coredata_http_send_last(
    struct MHD_Connection *connection, const void *bytes, size_t count) {
  int socket = coredata_http_socket(connection);
  if (socket < 0) return;
  (void)!send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(socket, SHUT_WR);
}

/// What a reader of content gives at its end.
static const ssize_t coredata_http_end = MHD_CONTENT_READER_END_OF_STREAM;

#endif
