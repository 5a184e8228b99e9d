/// The end of a request's body, as the fields describe it.
///
/// If the fields describe it twice or not clearly, a proxy before the server may see the end elsewhere. Then a request
/// can hide in the body of another one, and is answered as if the next client had sent it. Such requests are refused.
public enum RequestFraming: Sendable, Equatable {
  case none
  case length(Int)
  case chunked

  /// The largest length that every program reads as the same number.
  private static let largestLength = (1 << 53) - 1

  /// Reads the fields of a request.
  ///
  /// - Throws: A refusal with status 400 if the fields do not say clearly where the body ends.
  public init(_ fields: [HTTPField]) throws(HTTPRefusal) {
    guard fields.allSatisfy(\.hasProperName) else {
      throw HTTPRefusal(400, "The request has a field whose name is none.")
    }
    let lengths = fields.filter { $0.isNamed("Content-Length") }.map(\.value)
    let codings = fields.filter { $0.isNamed("Transfer-Encoding") }.map(\.value)
    guard lengths.isEmpty || codings.isEmpty else {
      throw HTTPRefusal(400, "The request has both a Content-Length and a Transfer-Encoding.")
    }
    guard lengths.count < 2, codings.count < 2 else {
      throw HTTPRefusal(400, "The request says twice how long it is.")
    }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked" else {
        throw HTTPRefusal(400, "The Transfer-Encoding “\(Self.shown(coding))” is not known here.")
      }
      self = .chunked
    } else if let text = lengths.first {
      guard let length = Self.length(text) else {
        throw HTTPRefusal(400, "The Content-Length “\(Self.shown(text))” is no number of bytes.")
      }
      self = length == 0 ? .none : .length(length)
    } else {
      self = .none
    }
  }

  private static func shown(_ value: String) -> String { String(value.withoutControls.prefix(80)) }

  private static func length(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let length = Int(text), length <= largestLength
    else { return nil }
    return length
  }
}

extension RequestFraming {
  /// The number of bytes that will come, or 0 if the client has not said it.
  public var length: Int {
    switch self {
    case .none, .chunked: 0
    case .length(let length): length
    }
  }

  /// The number of bytes to wait for if a program takes at most `limit`.
  public func expected(within limit: Int) -> Int {
    switch self {
    case .none: 0
    case .length(let length): min(length, limit)
    case .chunked: limit
    }
  }
}
