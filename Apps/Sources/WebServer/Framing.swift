import StrictJSON

/// The end of the body of a request, according to its fields.
///
/// Two answers to that question let a request hide in another one, so they are refused.
enum Framing: Equatable {
  case none
  case length(Int)
  case chunked

  init(_ headers: Headers) throws(Problem) {
    guard headers.fields.allSatisfy({ $0.name.isFieldName }) else {
      throw Problem(400, "The request has a field whose name is none.")
    }
    let lengths = headers.all("Content-Length")
    let codings = headers.all("Transfer-Encoding")
    guard lengths.isEmpty || codings.isEmpty else {
      throw Problem(400, "The request has both a Content-Length and a Transfer-Encoding.")
    }
    guard lengths.count < 2, codings.count < 2 else {
      throw Problem(400, "The request says twice how long it is.")
    }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked" else {
        throw Problem(400, "The Transfer-Encoding “\(coding)” is not known here.")
      }
      self = .chunked
    } else if let text = lengths.first {
      guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit),
        let length = WholeNumber.read(text, within: 0...Int(JSONLimits.numbers.upperBound))
      else {
        throw Problem(400, "The Content-Length “\(text)” is no number of bytes.")
      }
      self = length == 0 ? .none : .length(length)
    } else {
      self = .none
    }
  }
}

extension String {
  /// A blank before the colon belongs to the name for some, and for others it does not.
  fileprivate var isFieldName: Bool {
    !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
  }
}

extension ServerConfiguration {
  /// How long so many bytes may take on the slowest line.
  func patience(_ byteCount: Int) -> Duration { .seconds(byteCount / max(slowestLine, 1)) }
}

extension Framing {
  /// How many bytes will come, as far as is known.
  var length: Int {
    switch self {
    case .none, .chunked: 0
    case .length(let length): length
    }
  }

  /// How long a body may take.
  func patience(_ configuration: ServerConfiguration) -> Duration {
    let limit = max(configuration.uploadLimit, configuration.archiveLimit)
    return switch self {
    case .none: .zero
    case .length(let length): configuration.patience(min(length, limit))
    case .chunked: configuration.patience(configuration.uploadLimit)
    }
  }
}
