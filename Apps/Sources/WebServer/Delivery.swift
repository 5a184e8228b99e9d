import Foundation

/// An answer in the form in which it goes out: with its condition, range and pressing settled.
///
///     Response ─▶ Delivery(response, to: the request's fields) ─▶ the library's answer
struct Delivery {
  enum Payload {
    case none
    case data(Data)
    /// A piece of an open file; who sends it closes it.
    case file(descriptor: Int32, Range<Int>)
    case events(AsyncStream<ServerSentEvent>)
  }

  var status: Int
  var headers: Headers
  var payload: Payload

  var byteCount: Int {
    switch payload {
    case .none, .events: 0
    case .data(let data): data.count
    case .file(_, let range): range.count
    }
  }

  init(_ response: Response, method: Method, asked: Headers) {
    status = response.status
    headers = response.headers
    payload = .none
    switch response.body {
    case .empty: break
    case .events(let source): if method != .head { payload = .events(source) }
    case .data(let data): settle(data, asked)
    case .file(let url): settle(url, asked)
    }
  }
}

// MARK: - Data

extension Delivery {
  private mutating func settle(_ data: Data, _ asked: Headers) {
    headers.fill("Cache-Control", "no-store")
    if isUnchanged(for: asked) { return }
    payload = .data(data)
    guard data.count > 1_000, ContentType.isText(headers["Content-Type"] ?? "") else { return }
    headers.add("Vary", "Accept-Encoding")
    if Encoding.accepted(by: asked["Accept-Encoding"]).contains(.gzip),
      let pressed = Compression.gzip(data)
    {
      headers["Content-Encoding"] = Encoding.gzip.rawValue
      // The pressed bytes are others than the tag speaks of.
      if let tag = headers["ETag"], !tag.hasPrefix("W/") { headers["ETag"] = "W/" + tag }
      payload = .data(pressed)
    }
  }

  /// Turns the answer into "not modified" when the client has it already.
  private mutating func isUnchanged(for asked: Headers) -> Bool {
    guard status == 200, let tag = headers["ETag"], let known = asked["If-None-Match"],
      EntityTag.field(known, names: tag)
    else { return false }
    status = 304
    return true
  }
}

// MARK: - Files

extension Delivery {
  private mutating func settle(_ url: URL, _ asked: Headers) {
    let type = headers["Content-Type"] ?? ContentType.of(extension: url.pathExtension)
    let hasVariants = ContentType.isText(type) && headers["Content-Disposition"] == nil
    let wanted =
      hasVariants && asked["Range"] == nil
      ? Encoding.accepted(by: asked["Accept-Encoding"]) : []
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
    if isUnchanged(for: asked) || isOld(found, asked) {
      close(found.descriptor)
    } else {
      settle(found, asked)
    }
  }

  /// Without a tag the time decides.
  private mutating func isOld(_ file: OpenedFile, _ asked: Headers) -> Bool {
    guard asked["If-None-Match"] == nil, asked["If-Modified-Since"] == headers["Last-Modified"]
    else { return false }
    status = 304
    return true
  }

  private mutating func settle(_ file: OpenedFile, _ asked: Headers) {
    let length = Int(file.status.st_size)
    headers["Accept-Ranges"] = "bytes"
    let isSame = asked["If-Range"].map { $0 == headers["ETag"] || $0 == headers["Last-Modified"] }
    switch isSame == false ? .whole : ByteRange(asked["Range"], length: length) {
    case .whole:
      payload = .file(descriptor: file.descriptor, 0..<length)
    case .part(let range):
      status = 206
      headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
      payload = .file(descriptor: file.descriptor, range)
    case .unsatisfiable:
      close(file.descriptor)
      let problem = Problem(416, "The file has \(length) bytes; the range lies behind them.")
      self = Delivery(problem.response, method: .get, asked: [:])
      headers["Content-Range"] = "bytes */\(length)"
    }
  }
}

/// A file that is open for reading, and how it is pressed.
private struct OpenedFile {
  let descriptor: Int32
  let status: stat
  let encoding: Encoding?

  /// The first of the pressed siblings that exists, or the file itself.
  static func first(of url: URL, _ encodings: [Encoding]) -> OpenedFile? {
    for encoding in encodings {
      if let file = OpenedFile(url.path + "." + encoding.fileExtension, encoding) { return file }
    }
    return OpenedFile(url.path, nil)
  }

  private init?(_ path: String, _ encoding: Encoding?) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
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

/// A time as HTTP writes it: `Fri, 20 Nov 2026 15:30:00 GMT`.
enum HTTPDate {
  static func text(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
      )
    )
  }
}
