#include "CoreDataCRuntime.h"

#include <stddef.h>
#include <stdint.h>

// The layout is part of Swift's ABI, which Linux keeps in practice only: the tests compare it with values.

enum { kind_of_enumerations = 0x201 };

typedef struct {
  uint32_t flags;
  int32_t parent, name, access, fields;
  uint32_t payload_cases, empty_cases;
} enum_descriptor;

typedef struct {
  int32_t type, superclass;
  uint16_t kind, record_size;
  uint32_t count;
} field_descriptor;

typedef struct {
  uint32_t flags;
  int32_t type, name;
} field_record;

static const void *target(const int32_t *place) {
  return *place ? (const char *)place + *place : NULL;
}

int coredata_enum_cases(const void *type, coredata_case_visitor visitor, void *context) {
  const uintptr_t *metadata = type;
  if (metadata[0] != kind_of_enumerations) return -1;
  const enum_descriptor *descriptor = (const void *)metadata[1];
  const field_descriptor *fields = target(&descriptor->fields);
  if (!fields || fields->record_size < sizeof(field_record)) return -1;
  uint32_t payload_cases = descriptor->payload_cases & 0xffffff;
  if (fields->count != payload_cases + descriptor->empty_cases) return -1;
  const char *record = (const char *)(fields + 1);
  for (uint32_t index = 0; index < fields->count; index++, record += fields->record_size) {
    visitor(target(&((const field_record *)record)->name), context);
  }
  return (int)payload_cases;
}
