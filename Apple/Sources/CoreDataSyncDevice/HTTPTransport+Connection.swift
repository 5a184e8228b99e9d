extension HTTPTransport {
  /// Makes a connection.
  static let connection: Connecting = { URLSessionConnection() }
}
