#ifndef COREDATA_CRUNTIME_H
#define COREDATA_CRUNTIME_H

#include <stdbool.h>

/// Retains a Swift object unless its last reference is already gone.
///
/// The memory must still be there: call it only while something keeps the object's `deinit` from
/// finishing. It is what a `weak` reference does, without the side table that one costs.
bool coredata_retain_if_alive(void *object);

#endif
