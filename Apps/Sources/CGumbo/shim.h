#pragma once
// The parser of HTML, with the bounds that it lacks: on its memory, on its time, and on the depth of
// the stack that its own way of freeing a tree needs.
#include <gumbo.h>
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

/// A block of memory of a page, in the ring of all its blocks.
struct cgumbo_block {
  struct cgumbo_block *next, *previous;
  size_t size;
  size_t unused;  // keeps the memory behind it aligned
};

/// A page that is being parsed, or was.
typedef struct {
  struct cgumbo_block blocks;
  size_t left;
  struct timespec end;
  unsigned calls;
  jmp_buf exceeded;
  GumboOutput *output;
} cgumbo_page;

static inline void cgumbo_check_time(cgumbo_page *page) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  if (now.tv_sec > page->end.tv_sec ||
      (now.tv_sec == page->end.tv_sec && now.tv_nsec >= page->end.tv_nsec))
    longjmp(page->exceeded, 1);
}

/// The parser takes memory for each tag, so this also sees how long it has been at work.
static inline void *cgumbo_take(void *user, size_t size) {
  cgumbo_page *page = (cgumbo_page *)user;
  struct cgumbo_block *block = NULL;
  size_t whole = size + sizeof(struct cgumbo_block);
  if (++page->calls % 256 == 0) cgumbo_check_time(page);
  if (whole < size || whole > page->left || !(block = (struct cgumbo_block *)malloc(whole)))
    longjmp(page->exceeded, 1);
  page->left -= whole;
  block->size = whole;
  block->next = page->blocks.next;
  block->previous = &page->blocks;
  block->next->previous = block;
  page->blocks.next = block;
  return block + 1;
}

static inline void cgumbo_give_back(void *user, void *memory) {
  if (!memory) return;
  cgumbo_page *page = (cgumbo_page *)user;
  struct cgumbo_block *block = (struct cgumbo_block *)memory - 1;
  block->next->previous = block->previous;
  block->previous->next = block->next;
  page->left += block->size;
  free(block);
}

static inline void cgumbo_free(cgumbo_page *page) {
  struct cgumbo_block *block = page->blocks.next;
  while (block != &page->blocks) {
    struct cgumbo_block *next = block->next;
    free(block);
    block = next;
  }
  free(page);
}

static inline void cgumbo_run(cgumbo_page *page, const char *bytes, size_t count) {
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = cgumbo_take;
  options.deallocator = cgumbo_give_back;
  options.userdata = page;
  options.max_errors = 0;
  // A page is left in the middle if it exceeds a limit: the parser holds nothing but its memory.
  if (setjmp(page->exceeded) == 0)
    page->output = gumbo_parse_with_options(&options, bytes, count);
}

/// Parses a page, whose bytes must stay where they are until it is freed; NULL for one that needs more
/// memory, in bytes, or more time of the processor, in seconds.
static inline cgumbo_page *cgumbo_parse(
    const char *bytes, size_t count, size_t memory, unsigned seconds) {
  cgumbo_page *page = (cgumbo_page *)calloc(1, sizeof(cgumbo_page));
  if (!page) return NULL;
  page->blocks.next = page->blocks.previous = &page->blocks;
  page->left = memory;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &page->end);
  page->end.tv_sec += seconds;
  cgumbo_run(page, bytes, count);
  if (page->output) return page;
  cgumbo_free(page);
  return NULL;
}

static inline const GumboNode *cgumbo_document(const cgumbo_page *page) {
  return page->output->document;
}
