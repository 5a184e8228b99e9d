#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

/// How often this thread has got memory from the allocator.
///
/// The same program counts the same on every machine, which no clock does.
long allocation_count(void);

#endif
