import CoreDataStrictJSON
public import Foundation

/// A client's request.
public struct Request: Sendable {
  public let method: Method
  /// The path, decoded: `/api/notes/4`.
  public let path: String
  /// The values for names such as `:id` in the route's pattern.
  public internal(set) var parameters: [String: String] = [:]
  public let query: Query
  public let headers: Headers
  /// The name of the request in logs: that of the field `X-Request-ID`, or a new one.
  ///
  /// The answer has it, too.
  public let id: String
  /// The body of a route that takes it in memory.
  public internal(set) var body: Data = Data()
  /// The parts of a form, of a route that takes `.parts`; their files are removed after the answer.
  public internal(set) var parts: [Part] = []
  /// The body of a route that takes a `.file`; it is removed after the answer, unless it was moved.
  public internal(set) var upload: Upload?

  let segments: [String]

  /// A request without a network, for tests: `Request(.get, "/api/notes?in=all")`.
  public init(
    _ method: Method,
    _ target: String,
    headers: Headers = [:],
    body: Data = Data(),
    upload: Upload? = nil,
    parts: [Part] = []
  ) throws {
    self.init(method, try RequestTarget(target), headers)
    self.body = body
    self.upload = upload
    self.parts = parts
  }

  init(_ method: Method, _ target: RequestTarget, _ headers: Headers) {
    self.method = method
    self.path = target.path
    self.segments = target.segments
    self.query = target.query
    self.headers = headers
    id = Self.id(headers["X-Request-ID"])
  }

  /// Takes a name of letters, digits and a few signs, which forges nothing in a log; makes one otherwise.
  private static func id(_ given: String?) -> String {
    let signs = Set("-_.")
    if let given, (1...64).contains(given.utf8.count),
      given.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || signs.contains($0) })
    {
      return given
    }
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether the client says that it has the content with a tag, so that "not modified" will do.
  ///
  /// An answer without content but with the tag, `"5f3a"`, becomes that.
  public func knows(_ tag: String) -> Bool {
    EntityTag.field(headers.all("If-None-Match").joined(separator: ","), names: tag)
  }

  /// The body as a value, read in one pass; a value that does not fit is a `Problem` that names the field.
  public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    do {
      return try JSON.decoder().decode(type, from: body)
    } catch let problem as JSONProblem {
      throw Problem(problem)
    } catch let error as DecodingError {
      throw Problem(error)
    }
  }

  /// A parameter of the route's pattern, which the route has.
  public func parameter(_ name: String) throws -> String {
    guard let value = parameters[name] else {
      throw Problem(400, "The address has no “\(name)”.")
    }
    return value
  }

  /// A number of the route's pattern, such as that of `/api/books/:number`; other texts name nothing that exists.
  public func number(named name: String, of thing: String) throws -> Int {
    let text = try parameter(name)
    guard let number = WholeNumber.read(text, within: 0...Int(Int64.max)) else {
      throw Problem(404, "There is no \(thing) with the number \(text).")
    }
    return number
  }

  /// A number after the question mark, such as `limit=50`; `nil` if it is not given.
  public func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = WholeNumber.read(text, within: range) else {
      throw Problem(400, "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}

/// A body that lies on disk.
public struct Upload: Sendable, Equatable {
  public let file: URL
  public let byteCount: Int
  public let contentType: String?

  public init(file: URL, byteCount: Int, contentType: String? = nil) {
    self.file = file
    self.byteCount = byteCount
    self.contentType = contentType
  }
}

/// One field of a form; its content lies on disk.
public struct Part: Sendable, Equatable {
  public let name: String
  /// The name that the file had where it came from: not a place to write to.
  public let filename: String?
  public let contentType: String?
  public let file: URL
  public let byteCount: Int

  public init(
    name: String,
    filename: String? = nil,
    contentType: String? = nil,
    file: URL,
    byteCount: Int
  ) {
    self.name = name
    self.filename = filename
    self.contentType = contentType
    self.file = file
    self.byteCount = byteCount
  }

  /// The content; of an empty part without reading, for which Foundation leaks its buffer.
  public func data() throws -> Data { byteCount == 0 ? Data() : try Data(contentsOf: file) }
}
