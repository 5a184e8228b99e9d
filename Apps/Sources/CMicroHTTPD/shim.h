#pragma once
// The HTTP server library, and doors for its functions with variable arguments.
#include <microhttpd.h>
