import CoreDataCMicroHTTPD
import Foundation
import Synchronization

/// The server's side of one request, from its first line to the last byte of its answer.
public final class HTTPExchange: Sendable {
  /// The address in the first line, as it was sent.
  public let target: String
  public let connection: HTTPConnection
  /// The thread of the connection, which is also the one that begins the request.
  let thread = pthread_self()
  /// The library's connection.
  private let address: UInt
  private let connections: HTTPConnections
  private let stage = Mutex(Stage.new)

  enum Stage {
    /// Nobody has looked at the fields yet.
    case new
    /// We have answered, and the library is about to find that it cannot.
    case refused
    /// The program has suspended the connection before the body, and is asked again with the same fields.
    case screened(HTTPHead)
    case open
    /// The library may have closed the connection; its descriptor may be another one's.
    case over
  }

  init(
    target: String,
    on address: OpaquePointer,
    _ connection: HTTPConnection,
    of connections: HTTPConnections
  ) {
    self.target = target
    self.address = UInt(bitPattern: address)
    self.connection = connection
    self.connections = connections
  }

  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// Lets a client in: it does not count as a stranger any longer, and has time for a body of so many bytes.
  ///
  /// - Parameters:
  ///   - holder: The number of a token with which only a part of the connections is served at once.
  ///   - byteCount: The number of bytes to wait for.
  /// - Returns: Whether the holder may have one more connection.
  public func admit(as holder: Int64? = nil, expecting byteCount: Int) -> Bool {
    connections.admit(connection, as: holder, expecting: byteCount)
  }

  /// Takes the connection out of the loop of its thread.
  ///
  /// Call this on that thread.
  public func suspend() {
    if let pointer { MHD_suspend_connection(pointer) }
  }

  /// Puts a suspended connection back.
  ///
  /// The caller owns the only suspension, so the connection is still there.
  public func resume() {
    if let pointer { MHD_resume_connection(pointer) }
  }

  /// Whether the client has closed its end, or the request is over.
  ///
  /// Any thread may ask.
  public var hasLeft: Bool {
    stage.withLock { stage in
      if case .over = stage { true } else { isClosed }
    }
  }

  /// Hangs up, unless the request is over.
  ///
  /// Any thread may call this.
  public func breakOff() {
    stage.withLock { stage in
      if case .over = stage { return }
      connection.hangUp()
    }
  }

  private var isClosed: Bool {
    guard let pointer else { return true }
    var line = pollfd(
      fd: coredata_http_socket(pointer),
      events: Int16(Self.closedEnd),
      revents: 0
    )
    let gone = Int16(Self.closedEnd | POLLHUP | POLLERR)
    return poll(&line, 1, 0) > 0 && line.revents & gone != 0
  }

  /// `POLLRDHUP`, which not every header shows.
  private static let closedEnd: Int32 = 0x2000

  /// Returns the value of an argument after the `?`.
  ///
  /// Call this on the connection's thread, or while the connection is suspended.
  package func argument(_ name: String) -> String? {
    guard let pointer else { return nil }
    return MHD_lookup_connection_value(pointer, .GET_ARGUMENT_KIND, name).map {
      String(cString: $0)
    }
  }
}

// MARK: - For the server

extension HTTPExchange {
  var isNew: Bool { stage.withLock { if case .new = $0 { true } else { false } } }

  var isRefused: Bool { stage.withLock { if case .refused = $0 { true } else { false } } }

  /// The fields of a request about which the program has not decided yet.
  var screenedHead: HTTPHead? {
    stage.withLock { if case .screened(let head) = $0 { head } else { nil } }
  }

  func move(to next: Stage) { stage.withLock { $0 = next } }

  /// Whether the library has all fields of the request.
  ///
  /// Asked on the connection's thread only.
  var hasWholeHead: Bool { pointer.map { coredata_http_has_whole_head($0) } ?? false }

  /// The fields of the request in order, those that are there twice too.
  var fields: [HTTPField] {
    var fields: [HTTPField] = []
    guard let pointer else { return [] }
    withUnsafeMutablePointer(to: &fields) { fields in
      let take: MHD_KeyValueIterator = { place, _, name, value in
        place?.assumingMemoryBound(to: [HTTPField].self).pointee.append(
          HTTPField(
            sent: name.map { String(cString: $0) } ?? "",
            value.map { String(cString: $0) } ?? ""
          )
        )
        return .YES
      }
      _ = MHD_get_connection_values(pointer, .HEADER_KIND, take, fields)
    }
    return fields
  }

  /// Reads the first line and the fields.
  ///
  /// - Throws: A refusal if the fields do not say where the body ends, or if the address would be cut.
  func head(method: String, path: String) throws(HTTPRefusal) -> HTTPHead {
    let fields = fields
    let framing = try RequestFraming(fields)
    if target.contains("%00") { throw .addressWithNUL }
    return HTTPHead(method: method, path: path, fields: fields, framing: framing)
  }
}
