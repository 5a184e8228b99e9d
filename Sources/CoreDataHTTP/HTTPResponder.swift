/// A program that answers requests.
///
/// The library's threads call its functions, several at once.
public protocol HTTPResponder: AnyObject, Sendable {
  /// Begins a request whose first line has arrived.
  func begin(_ exchange: HTTPExchange) -> any HTTPReception

  /// Returns the answer in which a client without a request gets a refusal.
  func reply(to refusal: HTTPRefusal) -> HTTPReply

  /// Tells the owner of a lack of connections. At most one is told in each ``HTTPLimits/lookTime``.
  func report(_ crowding: HTTPCrowding)

  /// Looks after the open requests, in each ``HTTPLimits/lookTime`` and on a thread of the server's own.
  func look(at receptions: [any HTTPReception])
}

extension HTTPResponder {
  public func look(at receptions: [any HTTPReception]) {}
}

/// The program's side of one request, from its first line to the last byte of its answer.
///
/// The functions are called one after the other, on the connection's thread.
public protocol HTTPReception: AnyObject, Sendable {
  /// Decides what to do with a request whose fields are there.
  ///
  /// A program that has to wait for that suspends the connection and returns ``HTTPStep/wait``. It is asked again when
  /// the connection goes on.
  func screen(_ head: HTTPHead) -> HTTPStep

  /// Returns the answer to a request that the server refuses in the place of ``screen(_:)``. If the library has refused
  /// it, the method is missing.
  func refuse(_ refusal: HTTPRefusal, method: String?) -> HTTPReply

  /// Takes a piece of the body.
  func take(_ bytes: UnsafeRawBufferPointer) -> HTTPStep

  /// Answers the request, whose body is there; also called when a suspended connection goes on.
  func finish() -> HTTPStep

  /// The answer was sent, or the request was broken off.
  func end()
}

/// The first line and the fields of a request.
public struct HTTPHead: Sendable {
  public let method: String
  /// The path without its escapes, as the library decodes it leniently.
  public let path: String
  public let fields: [HTTPField]
  public let framing: RequestFraming

  /// Returns the first value of a field.
  public subscript(name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}

/// The next step of a request.
public enum HTTPStep {
  /// The server goes on to the body.
  case goOn
  case answer(HTTPReply)
  /// The program has suspended the connection, and resumes it when the answer is there.
  case wait
  /// The connection is closed in the middle of a request, after an answer if there is one.
  case close(HTTPReply?)
}
