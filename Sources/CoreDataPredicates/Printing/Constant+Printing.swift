import Foundation

extension Constant: CustomStringConvertible {
  package var description: String { Operand(value).spelling }
}

extension Operand {
  /// The value as a format string writes it; objects that it cannot express describe themselves.
  fileprivate var spelling: String {
    switch self {
    case .nothing: "nil"
    case .number(let number): number.spelling
    case .text(let text): text.quoted
    case .date(let date): "CAST(\(date.seconds), \"NSDate\")"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .data(let data): "<\(data.map { String(format: "%02x", $0) }.joined())>"
    case .collection(let collection):
      "{\(collection.elements.map { Operand($0).spelling }.joined(separator: ", "))}"
    case .dictionary(let dictionary): dictionary.spelled(\.spelling)
    case .object(let object): "\(object)"
    }
  }
}

extension Number {
  /// A double without a fraction is printed as a whole number, as Apple's systems do.
  fileprivate var spelling: String {
    switch self {
    case .integer(let value): value.description
    case .unsigned(let value): value.description
    case .real(let value): Int64(exactly: value)?.description ?? value.description
    case .decimal(let value): value.description
    }
  }
}

extension Date {
  /// Seconds since 2001 with six decimals, or as many as it takes to keep the moment.
  fileprivate var seconds: String {
    let exact = timeIntervalSinceReferenceDate
    let short = String(format: "%f", exact)
    return Double(short) == exact ? short : "\(exact)"
  }
}

extension String {
  /// In double quotes, with a backslash where the parser wants one.
  var quoted: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
