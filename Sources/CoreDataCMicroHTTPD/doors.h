#ifndef COREDATA_CMICROHTTPD_DOORS_H
#define COREDATA_CMICROHTTPD_DOORS_H

// The HTTP server library, and doors for its functions with variable arguments.
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// The functions that the library calls, and their first argument.
struct coredata_http_callbacks {
  MHD_LogCallback log;
  MHD_AcceptPolicyCallback accept;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *context;
};

/// How much a daemon gives to its connections.
struct coredata_http_limits {
  /// The number of threads that share all connections.
  unsigned int threads;
  unsigned int connections;
  unsigned int idle_seconds;
  size_t connection_memory;
};

/// Begins to serve on a socket that listens already.
static inline struct MHD_Daemon *coredata_http_start(
    MHD_socket socket, struct coredata_http_callbacks callbacks,
    struct coredata_http_limits limits) {
  void *context = callbacks.context;
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_ERROR_LOG,
      0, callbacks.accept, context, callbacks.access, context,
      // First, so that no line goes elsewhere.
      MHD_OPTION_EXTERNAL_LOGGER, callbacks.log, context,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks.target, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, context,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
      // A missing Host is refused by the program, if it minds.
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_THREAD_POOL_SIZE, limits.threads,
      MHD_OPTION_END);
}

/// Has the C library give large pieces of memory back to the system when they are freed, and share its heaps among
/// threads. Does nothing if the C library does so anyway.
static inline void coredata_http_keep_memory_low(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 4);
#endif
}

/// Gives memory that nobody uses back to the system.
static inline void coredata_http_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
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

/// The address that a connection comes from; of version 6 the first half, which is one network.
static inline bool coredata_http_client(
    struct MHD_Connection *connection, char *text, socklen_t size) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == NULL || info->client_addr == NULL) return false;
  if (info->client_addr->sa_family == AF_INET)
    return inet_ntop(AF_INET, &((const struct sockaddr_in *)info->client_addr)->sin_addr, text, size);
  if (info->client_addr->sa_family != AF_INET6) return false;
  struct in6_addr address = ((const struct sockaddr_in6 *)info->client_addr)->sin6_addr;
  if (!IN6_IS_ADDR_V4MAPPED(&address)) memset(&address.s6_addr[8], 0, 8);
  return inet_ntop(AF_INET6, &address, text, size);
}

/// Sends bytes past the library, as many as the line takes at once. A client that has left is no reason for a signal.
static inline void coredata_http_send(int socket, const void *bytes, size_t count) {
  if (socket >= 0) (void)!send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// What a reader of content gives at its end.
static const ssize_t coredata_http_end = MHD_CONTENT_READER_END_OF_STREAM;
/// What a reader of content gives if the client must notice that the content is not complete.
static const ssize_t coredata_http_broken = MHD_CONTENT_READER_END_WITH_ERROR;
/// The size of an answer that goes on until its reader gives the end.
static const uint64_t coredata_http_unknown_size = MHD_SIZE_UNKNOWN;

#endif
