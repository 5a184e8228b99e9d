#pragma once
// The HTTP server library, and doors for its functions with variable arguments.
#include <arpa/inet.h>
#include <malloc.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

/// Who is called when, and with what.
struct cmhd_callbacks {
  MHD_LogCallback log;
  MHD_AccessHandlerCallback access;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *context;
};

/// How much a daemon gives to its connections.
struct cmhd_limits {
  unsigned int threads;
  unsigned int connections;
  unsigned int idle_seconds;
  size_t connection_memory;
};

/// Begins to serve on a socket that listens already.
static inline struct MHD_Daemon *cmhd_start(
    MHD_socket socket, struct cmhd_callbacks callbacks, struct cmhd_limits limits) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME |
          MHD_USE_ERROR_LOG,
      0, NULL, NULL, callbacks.access, callbacks.context,
      // First, so that no line goes elsewhere.
      MHD_OPTION_EXTERNAL_LOGGER, callbacks.log, callbacks.context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks.target, callbacks.context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, callbacks.context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, callbacks.context,
      MHD_OPTION_THREAD_POOL_SIZE, limits.threads,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
      // A missing Host is ours to refuse.
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_END);
}

/// Large pieces of memory go back to the system when they are let go, and few threads have a heap of their own.
static inline void cmhd_keep_memory_low(void) {
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  mallopt(M_ARENA_MAX, 4);
}

/// Gives memory that nobody uses back to the system.
static inline void cmhd_return_memory(void) { malloc_trim(0); }

static inline int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// Whether the fields of the request are complete.
static inline bool cmhd_has_whole_head(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

/// Sends what the line takes at once; a client that has left is no reason for a signal.
static inline ssize_t cmhd_send(int socket, const void *bytes, size_t count) {
  return send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// The address that a connection comes from; of version 6 the first half, which is one network.
static inline bool cmhd_client(struct MHD_Connection *connection, char *text, socklen_t size) {
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

static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

static inline uint64_t cmhd_unknown_size(void) { return MHD_SIZE_UNKNOWN; }
static inline ssize_t cmhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmhd_broken_stream(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
