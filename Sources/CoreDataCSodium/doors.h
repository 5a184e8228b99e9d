#ifndef COREDATA_CSODIUM_DOORS_H
#define COREDATA_CSODIUM_DOORS_H

// libsodium: sealed values, hashes of contents, keys from passphrases. Its sizes are macros with casts, which
// Swift cannot import.
#include <sodium.h>

enum {
  coredata_seal_nonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
  coredata_seal_tag = crypto_aead_xchacha20poly1305_ietf_ABYTES,
};

#endif
