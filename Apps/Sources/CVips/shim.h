#pragma once
// The image library, and doors for its functions with variable arguments.
#include <vips/vips.h>
