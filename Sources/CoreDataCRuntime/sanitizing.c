// Lets the thread sanitizer see the slow ways through the standard library's mutex.
//
// The fast ways are compiled into their callers, where the sanitizer sees them. A thread that has to
// wait goes through a library that was built without it, so that what the mutex protects looks like a
// race. These functions take the library's place, and tell. Other builds have nothing of this.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void coredata_seen_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool coredata_seen_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void coredata_seen_unlock(SELF) __asm__(UNLOCK);

SWIFT void coredata_seen_lock(uint32_t thread, SELF) {
  typedef SWIFT void (*lock_function)(uint32_t, SELF);
  ((lock_function)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool coredata_seen_try_lock(SELF) {
  typedef SWIFT bool (*try_function)(SELF);
  bool locked = ((try_function)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
  if (locked) __tsan_acquire(mutex);
  return locked;
}

SWIFT void coredata_seen_unlock(SELF) {
  typedef SWIFT void (*unlock_function)(SELF);
  __tsan_release(mutex);
  ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

#endif
#endif
