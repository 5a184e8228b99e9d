#ifndef COREDATA_CMICROHTTPD_DOORS_H
#define COREDATA_CMICROHTTPD_DOORS_H

// The HTTP server library, and a door for its function with variable arguments.
#include <microhttpd.h>

/// Begins to serve on a socket that listens already, with a thread for each connection.
static inline struct MHD_Daemon *coredata_http_start(
    MHD_socket socket, MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    void *context, unsigned int connections, unsigned int idle_seconds) {
  return MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL,
      access, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 << 10),
      MHD_OPTION_THREAD_STACK_SIZE, (size_t)(2 << 20),
      MHD_OPTION_END);
}

/// What a reader of content gives at its end.
static const ssize_t coredata_http_end = MHD_CONTENT_READER_END_OF_STREAM;

#endif
