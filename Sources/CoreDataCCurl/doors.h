#ifndef COREDATA_CCURL_DOORS_H
#define COREDATA_CCURL_DOORS_H

// libcurl: a device's way to its server. Its options are set by a function with a variable number of arguments,
// which Swift cannot call.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>

struct coredata_http_request {
  const char *verb;
  const char *url;
  struct curl_slist *headers;
  /// Whether the answer may be compressed; it is decompressed as it arrives.
  bool takes_compressed;
  const void *body;
  curl_off_t size;
  /// What is called with each piece of the answer; less than what it was given ends the request.
  size_t (*take)(char *piece, size_t one, size_t count, void *taker);
  void *taker;
  /// Where a sentence about what went wrong is written.
  char *problem;
};

enum { coredata_http_longest_problem = CURL_ERROR_SIZE };

static inline CURLcode coredata_http_begin_all(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

/// Makes a handle ready for a request; connections that it has are kept.
static inline void coredata_http_prepare(CURL *handle, const struct coredata_http_request *request) {
  curl_easy_reset(handle);
  curl_easy_setopt(handle, CURLOPT_URL, request->url);
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->verb);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, request->headers);
  if (request->body) {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, request->size);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
  }
  if (request->takes_compressed) curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, request->take);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, request->taker);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, request->problem);
  // Signals are the program's.
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  // A request that is ended does not wait for a name server that does not answer.
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static inline long coredata_http_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// How many bytes of a body have been sent.
static inline curl_off_t coredata_http_sent(CURL *handle) {
  curl_off_t sent = 0;
  curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &sent);
  return sent;
}

/// What the answer says that it is, as `text/html`; NULL unless it says so.
static inline const char *coredata_http_type(CURL *handle) {
  char *type = NULL;
  curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &type);
  return type;
}

/// Where the server says that the thing is; NULL unless it says so.
static inline const char *coredata_http_moved(CURL *handle) {
  char *url = NULL;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &url);
  return url;
}

/// The encodings of bodies that the server reads; NULL unless it names them.
static inline const char *coredata_http_accepted(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075400
  struct curl_header *header = NULL;
  if (curl_easy_header(handle, "Accept-Encoding", 0, CURLH_HEADER, -1, &header) == CURLHE_OK) return header->value;
#endif
  return NULL;
}

/// How a request has ended that is complete.
static inline CURLcode coredata_http_result(CURLM *requests) {
  int left = 0;
  const CURLMsg *message = curl_multi_info_read(requests, &left);
  return message ? message->data.result : CURLE_OK;
}

#endif
