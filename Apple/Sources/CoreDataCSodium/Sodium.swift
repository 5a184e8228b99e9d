@_exported public import Clibsodium

// libsodium's sizes are macros with casts, which Swift cannot import; its functions say the same. The names are those of
// the module with libsodium in the package beside this one.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The bytes of a nonce of a sealed value.
public let coredata_seal_nonce = crypto_aead_xchacha20poly1305_ietf_npubbytes()
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The bytes that sealing adds to a value.
public let coredata_seal_tag = crypto_aead_xchacha20poly1305_ietf_abytes()
