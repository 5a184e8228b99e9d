public import Foundation

/// The answer to a request.
///
///     return try .json(note, status: 201)
///     return .file(at: url, contentType: "image/png", download: "Tree.png")
public struct Response: Sendable {
  public enum Body: Sendable {
    case empty
    case data(Data)
    /// A file, with ranges and conditions answered as the request asks.
    case file(URL)
    /// A file without a name, with ranges and conditions answered as the request asks.
    case held(HeldFile)
    case events(AsyncStream<ServerSentEvent>)
  }

  public var status: Int
  public var headers: Headers
  public var body: Body
  /// Whether the client may still have the answer; `nil` if nothing changes that.
  ///
  /// While the answer is being sent, the server asks several times a second, and hangs up when the result is `false`.
  public var isAllowed: (@Sendable () -> Bool)?

  public init(status: Int = 200, headers: Headers = [:], body: Body = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension Response {
  public static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
    .data(try JSON.encoder().encode(value), contentType: ContentType.json, status: status)
  }

  public static func text(_ text: String, status: Int = 200) -> Response {
    .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
  }

  public static func html(_ text: String, status: Int = 200) -> Response {
    .data(Data(text.utf8), contentType: "text/html; charset=utf-8", status: status)
  }

  public static func data(_ data: Data, contentType: String, status: Int = 200) -> Response {
    Response(status: status, headers: ["Content-Type": contentType], body: .data(data))
  }

  /// A file; without a content type the file's name decides.
  ///
  /// With `download` the browser saves it under that name instead of showing it.
  public static func file(
    at url: URL,
    contentType: String? = nil,
    download: String? = nil
  ) -> Response {
    let type = contentType ?? ContentType.of(extension: url.pathExtension)
    let response = Response(headers: ["Content-Type": type], body: .file(url))
    return download.map(response.downloaded) ?? response
  }

  /// Data that waits in a file, not in memory, until the client has taken it.
  public static func held(_ file: HeldFile, contentType: String) -> Response {
    Response(headers: ["Content-Type": contentType], body: .held(file))
  }

  /// Done, and nothing to say.
  public static var empty: Response { Response(status: 204) }

  public static func redirect(to address: String, status: Int = 303) -> Response {
    Response(status: status, headers: ["Location": address])
  }

  /// A stream that stays open until its source ends, the client leaves or the server stops; then the
  /// source is told (`onTermination`).
  public static func events(_ source: AsyncStream<ServerSentEvent>) -> Response {
    Response(
      headers: [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
      ],
      body: .events(source)
    )
  }

  /// The same answer, to be saved under a name.
  public func downloaded(as name: String) -> Response {
    var response = self
    let plain = String(name.unicodeScalars.map { $0.isPlainInQuotes ? Character($0) : "_" })
    response.headers["Content-Disposition"] =
      "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
    return response
  }

  /// The same answer with a field set.
  public func with(_ name: String, _ value: String?) -> Response {
    var response = self
    response.headers[name] = value
    return response
  }
}

extension Unicode.Scalar {
  fileprivate var isPlainInQuotes: Bool {
    (0x20..<0x7F).contains(value) && self != "\"" && self != "\\" && self != "%" && self != "/"
  }
}
