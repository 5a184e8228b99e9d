/// How large things may be that come over the wire.
package enum WireLimits {
  /// The bytes of one value.
  package static let payload = 8 << 20
  /// The bytes of one message.
  package static let message = 32 << 20
  /// The cells of one message.
  package static let cells = 50_000
  /// The writers whose watermarks may be asked for at once.
  package static let writers = 10_000
}
