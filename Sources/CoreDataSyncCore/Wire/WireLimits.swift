/// How large things may be that come over the wire.
package enum WireLimits {
  /// The bytes of one value: a file of 64 MB, and its envelope.
  package static let payload = 65 << 20
  /// The bytes of one value before it is sealed, which makes it larger by a nonce, a tag and an envelope.
  package static let value = payload - 64
  /// The bytes of a value that goes in a message; a larger one goes beside it, as an asset.
  package static let inline = 256 << 10
  /// The bytes of one message: a portion, what it has besides its cells, and a value that came at its end.
  package static let message = 16 << 20
  /// The bytes of the cells of one message, unless one of them is larger.
  package static let portion = 8 << 20
  /// The cells of one message.
  package static let cells = 50_000
  /// The writers whose watermarks may be asked for at once.
  package static let writers = 10_000
}
