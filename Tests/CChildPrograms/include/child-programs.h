#pragma once
#include <spawn.h>

/// What glibc offers beyond POSIX, and Swift's module of glibc leaves out.
int child_programs_close_from(posix_spawn_file_actions_t *actions, int first);
int child_programs_work_in(posix_spawn_file_actions_t *actions, const char *folder);
