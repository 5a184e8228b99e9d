import CoreDataHTTP
import Foundation

/// An answer in the form in which it goes out: with its condition, range and pressing settled.
///
///     Response ─▶ Delivery(response, to: the request's fields) ─▶ the library's answer
struct Delivery {
  enum Payload {
    case none
    case data(Data)
    /// A piece of an open file; its sender closes it.
    case file(descriptor: Int32, Range<Int>)
    case events(AsyncStream<ServerSentEvent>)
  }

  var status: Int
  var headers: Headers
  var payload: Payload

  /// How much is sent; the library keeps the payload of "not modified" to itself, and tells its length.
  var byteCount: Int {
    switch payload {
    case _ where status == 304: 0
    case .none, .events: 0
    case .data(let data): data.count
    case .file(_, let range): range.count
    }
  }

  init(_ response: Response, method: Method, asked: Headers) {
    status = response.status
    headers = response.headers
    payload = .none
    let asked = asked.conditions(of: method)
    switch response.body {
    case .empty: break
    case .events(let source): if method != .head { payload = .events(source) }
    case .data(let data): settle(data, asked)
    case .file(let url): settle(url, asked)
    case .held(let file): settle(file, asked)
    }
  }
}

// MARK: - Data

extension Delivery {
  private mutating func settle(_ data: Data, _ asked: Headers) {
    headers.fill("Cache-Control", "no-store")
    settleTag(asked)
    payload = .data(data)
    guard data.count > 1_000, ContentType.isText(headers["Content-Type"] ?? "") else { return }
    headers.add("Vary", "Accept-Encoding")
    if ContentEncoding.accepted(by: asked["Accept-Encoding"]).contains(.gzip),
      let pressed = Compression.gzip(data)
    {
      headers["Content-Encoding"] = ContentEncoding.gzip.rawValue
      // The pressed bytes are others than the tag speaks of.
      if let tag = headers["ETag"], !tag.hasPrefix("W/") { headers["ETag"] = "W/" + tag }
      payload = .data(pressed)
    }
  }

  /// Turns the answer into "not modified" when the client has it already.
  private mutating func settleTag(_ asked: Headers) {
    let known = asked.all("If-None-Match").joined(separator: ",")
    guard status == 200, let tag = headers["ETag"] else { return }
    if EntityTag.field(known, names: tag) { status = 304 }
  }
}

// MARK: - Files

extension Delivery {
  private mutating func settle(_ url: URL, _ asked: Headers) {
    let type = headers["Content-Type"] ?? ContentType.of(extension: url.pathExtension)
    let hasVariants = ContentType.isText(type) && headers["Content-Disposition"] == nil
    let wanted =
      hasVariants && asked["Range"] == nil
      ? ContentEncoding.accepted(by: asked["Accept-Encoding"]) : []
    guard let found = OpenedFile.first(of: url, wanted) else {
      self = Delivery(
        Problem(404, "The file is gone.").response,
        method: .get,
        asked: [:]
      )
      return
    }
    headers.fill("Cache-Control", "no-cache")
    headers["ETag"] = EntityTag.of(found.status, variant: found.encoding?.rawValue ?? "")
    headers["Last-Modified"] = HTTPDate.text(found.status.st_mtim.tv_sec)
    if hasVariants { headers.add("Vary", "Accept-Encoding") }
    if let encoding = found.encoding { headers["Content-Encoding"] = encoding.rawValue }
    settleTag(asked)
    settleTime(asked)
    if status == 304 {
      payload = .file(descriptor: found.descriptor, 0..<Int(found.status.st_size))
    } else {
      settle(found.descriptor, Int(found.status.st_size), asked)
    }
  }

  private mutating func settle(_ file: HeldFile, _ asked: Headers) {
    guard let descriptor = file.duplicate() else {
      let problem = Problem(503, "The server has too many files open; try again in a moment.")
      self = Delivery(problem.response, method: .get, asked: [:])
      return
    }
    headers.fill("Cache-Control", "no-store")
    settleTag(asked)
    if status == 304 {
      payload = .file(descriptor: descriptor, 0..<file.byteCount)
    } else {
      settle(descriptor, file.byteCount, asked)
    }
  }

  /// Without a tag the time decides.
  private mutating func settleTime(_ asked: Headers) {
    guard status == 200, asked["If-None-Match"] == nil,
      asked["If-Modified-Since"] == headers["Last-Modified"]
    else { return }
    status = 304
  }

  private mutating func settle(_ descriptor: Int32, _ length: Int, _ asked: Headers) {
    headers["Accept-Ranges"] = "bytes"
    let isSame = asked["If-Range"].map { $0 == headers["ETag"] || $0 == headers["Last-Modified"] }
    switch isSame == false ? .whole : ByteRange(asked["Range"], length: length) {
    case .whole:
      payload = .file(descriptor: descriptor, 0..<length)
    case .part(let range):
      status = 206
      headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
      payload = .file(descriptor: descriptor, range)
    case .unsatisfiable:
      close(descriptor)
      let problem = Problem(416, "The file has \(length) bytes; the range lies behind them.")
      self = Delivery(problem.response, method: .get, asked: [:])
      headers["Content-Range"] = "bytes */\(length)"
    }
  }
}

extension Headers {
  /// The fields without the conditions that are meaningless for a method: a write is not undone, and an answer without
  /// a body has no part.
  fileprivate func conditions(of method: Method) -> Headers {
    var headers = self
    if method != .get { headers["Range"] = nil }
    if method.writes {
      headers["If-None-Match"] = nil
      headers["If-Modified-Since"] = nil
    }
    return headers
  }
}

/// A file that is open for reading, and how it is pressed.
private struct OpenedFile {
  let descriptor: Int32
  let status: stat
  let encoding: ContentEncoding?

  /// The first of the pressed siblings that exists, or the file itself.
  static func first(of url: URL, _ encodings: [ContentEncoding]) -> OpenedFile? {
    for encoding in encodings {
      if let file = OpenedFile(url.path + "." + encoding.fileExtension, encoding) { return file }
    }
    return OpenedFile(url.path, nil)
  }

  private init?(_ path: String, _ encoding: ContentEncoding?) {
    // A sibling is in the same folder as the file, and opening must not block.
    let strict = encoding == nil ? 0 : O_NOFOLLOW
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | strict)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.status = status
    self.encoding = encoding
  }
}

extension ContentEncoding {
  /// The extension of a compressed file beside the original: `app.js.br`.
  fileprivate var fileExtension: String {
    switch self {
    case .brotli: "br"
    case .gzip: "gz"
    }
  }
}
