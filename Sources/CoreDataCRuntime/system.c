#define _GNU_SOURCE

#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "CoreDataCRuntime.h"

// glibc and musl declare these names with other types, so that Swift would need a line for each.

int coredata_socket_of_stream(void) { return SOCK_STREAM; }

int coredata_socket_closed_on_exec(void) { return SOCK_CLOEXEC; }

static unsigned long bounded(rlim_t limit) {
  return limit == RLIM_INFINITY ? (unsigned long)-1 : (unsigned long)limit;
}

bool coredata_open_files(unsigned long *now, unsigned long *most) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  *now = bounded(limit.rlim_cur);
  *most = bounded(limit.rlim_max);
  return true;
}

bool coredata_allow_open_files(unsigned long count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  limit.rlim_cur = count;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

double coredata_processor_seconds(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

bool coredata_ignores_signal(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int coredata_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
