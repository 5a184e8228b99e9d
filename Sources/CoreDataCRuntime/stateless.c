#include "CoreDataCRuntime.h"

#include <stddef.h>

// The Swift runtime's own entry points; stable, as the standard library compiles to them in its clients.
typedef struct {
  size_t negative, positive;
} extents;
__attribute__((swiftcall)) extern extents _swift_getSwiftClassInstanceExtents(const void *type);
extern void *swift_allocObject(const void *type, size_t size, size_t alignment_mask);

void *coredata_make_stateless(const void *type, const void *plain) {
  size_t size = _swift_getSwiftClassInstanceExtents(type).positive;
  if (size != _swift_getSwiftClassInstanceExtents(plain).positive) return NULL;
  return swift_allocObject(type, size, _Alignof(max_align_t) - 1);
}
