#include "CoreDataCRuntime.h"

#include <stddef.h>
#include <stdint.h>

// The sections of a library in which the Swift compiler lists what it has compiled, as the runtime
// hands them out; the part of them that is read here.
struct section {
  uintptr_t start;
  size_t length;
};

struct sections {
  uintptr_t version;
  const void *base;
  void *unused[2];
  struct section protocols;
  struct section conformances;
  struct section types;
};

extern void swift_enumerateAllMetadataSections(
    bool (*body)(const struct sections *, void *), void *context);

// What the compiler says of a type; addresses are relative to where they stand.
struct type_descriptor {
  uint32_t flags;
  int32_t parent;
  int32_t name;
  int32_t accessor;
};

struct metadata_response {
  const void *metadata;
  size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*metadata_accessor)(size_t request);

enum { KIND = 0x1F, CLASS = 16, GENERIC = 0x80, INDIRECT = 1, RECORD_KIND = 3 };

static const void *relative(const int32_t *place, int32_t offset) {
  return (const char *)place + offset;
}

struct visit {
  coredata_class_visitor visitor;
  void *context;
};

static bool visit_sections(const struct sections *sections, void *context) {
  const struct visit *visit = context;
  const int32_t *record = (const int32_t *)sections->types.start;
  const int32_t *end = (const int32_t *)(sections->types.start + sections->types.length);
  for (; record < end; record++) {
    const void *found = relative(record, *record & ~RECORD_KIND);
    if ((*record & RECORD_KIND) == INDIRECT) found = *(const void *const *)found;
    if ((*record & RECORD_KIND) > INDIRECT || !found) continue;
    const struct type_descriptor *type = found;
    if ((type->flags & KIND) != CLASS || (type->flags & GENERIC) || !type->accessor) continue;
    visit->visitor(relative(&type->name, type->name), type, visit->context);
  }
  return true;
}

void coredata_each_class(coredata_class_visitor visitor, void *context) {
  struct visit visit = {visitor, context};
  swift_enumerateAllMetadataSections(visit_sections, &visit);
}

const void *coredata_class(const void *descriptor) {
  const struct type_descriptor *type = descriptor;
  metadata_accessor accessor = (metadata_accessor)relative(&type->accessor, type->accessor);
  return accessor(0).metadata;
}
