#pragma once
// The image library, and doors for its functions with variable arguments.
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vips/vips.h>

/// Takes from this process what a reader of pictures does not need: memory and time beyond a limit, files
/// (those that its parent has open among them), new rights, and life without its parent.
static inline bool cvips_confine(unsigned long memory, unsigned long seconds) {
  const struct rlimit of_memory = {memory, memory}, of_time = {seconds, seconds},
                      of_files = {64, 64}, none = {0, 0};
  return setrlimit(RLIMIT_DATA, &of_memory) == 0 && setrlimit(RLIMIT_CPU, &of_time) == 0 &&
         setrlimit(RLIMIT_NOFILE, &of_files) == 0 && setrlimit(RLIMIT_FSIZE, &none) == 0 &&
         setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_close_range, 3, ~0U, 0) == 0;
}

/// Reads every pixel; other than 0 where one cannot be read.
static inline int cvips_read_all(VipsImage *image) {
  double average = 0;
  return vips_avg(image, &average, NULL);
}

/// Warnings about damaged pictures are errors for us; nobody needs them on the screen too.
static inline void cvips_ignore(
    const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {}

static inline void cvips_silence(void) {
  g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, cvips_ignore, NULL);
}

/// Opens a picture: its header is read, its pixels are not.
static inline VipsImage *cvips_open(const void *bytes, size_t count) {
  return vips_image_new_from_buffer(
      bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
}

/// A smaller picture, upright if it turns, in the usual colours.
///
/// The function's own "fail_on" does not reach the readers in 8.14; their option does.
static inline int cvips_thumbnail(
    const void *bytes, size_t count, VipsImage **result, int longest_side, bool turns) {
  return vips_thumbnail_buffer(
      (void *)bytes, count, result, longest_side, "height", longest_side, "size", VIPS_SIZE_DOWN,
      "no_rotate", !turns,
      "option_string", "[fail_on=truncated]", "export_profile", "srgb", NULL);
}

static inline int cvips_save_jpeg(VipsImage *image, void **bytes, size_t *count) {
  return vips_jpegsave_buffer(
      image, bytes, count, "Q", 82, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

static inline int cvips_save_webp(VipsImage *image, void **bytes, size_t *count) {
  return vips_webpsave_buffer(image, bytes, count, "Q", 82, "strip", TRUE, NULL);
}

/// Opens the reader of PDFs, which is closed as one of formats that strangers send; false if the library has none.
static inline bool cvips_allow_pdf(void) {
  if (!vips_type_find("VipsOperation", "pdfload_buffer")) return false;
  vips_operation_block_set("VipsForeignLoadPdf", FALSE);
  return true;
}

/// The number of pages; 0 if the file cannot be read.
static inline int cvips_pdf_pages(const void *bytes, size_t count) {
  VipsImage *image = NULL;
  int pages = 0;
  if (vips_pdfload_buffer((void *)bytes, count, &image, NULL)) return 0;
  if (vips_image_get_int(image, "n-pages", &pages)) pages = 0;
  g_object_unref(image);
  return pages;
}

/// A page, counted from 0, on white paper as a JPEG whose longer side has about so many pixels.
static inline int cvips_pdf_page(
    const void *bytes, size_t count, int page, int longest_side, void **result, size_t *length) {
  VipsImage *plain = NULL, *image = NULL, *flat = NULL;
  if (vips_pdfload_buffer((void *)bytes, count, &plain, "page", page, NULL)) return -1;
  const int width = vips_image_get_width(plain), height = vips_image_get_height(plain);
  g_object_unref(plain);
  const double scale = (double)longest_side / (width > height ? width : height);
  if (vips_pdfload_buffer(
          (void *)bytes, count, &image, "page", page, "scale", scale, "fail_on",
          VIPS_FAIL_ON_TRUNCATED, NULL))
    return -1;
  VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
  const int code = vips_flatten(image, &flat, "background", white, NULL);
  vips_area_unref(VIPS_AREA(white));
  g_object_unref(image);
  if (code) return -1;
  const int saved = cvips_save_jpeg(flat, result, length);
  g_object_unref(flat);
  return saved;
}

static inline void cvips_close(VipsImage *image) { g_object_unref(image); }

static inline void cvips_free(void *bytes) { g_free(bytes); }

/// A black picture, and a picture in a file format that an ending names: what tests are made of.
static inline VipsImage *cvips_black(int width, int height, int bands) {
  VipsImage *plain = NULL, *image = NULL;
  if (vips_black(&plain, width, height, "bands", bands, NULL)) return NULL;
  if (vips_copy(plain, &image, "interpretation",
                bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB, NULL))
    image = NULL;
  g_object_unref(plain);
  return image;
}

static inline int cvips_save(VipsImage *image, const char *ending, void **bytes, size_t *count) {
  return vips_image_write_to_buffer(image, ending, bytes, count, NULL);
}
