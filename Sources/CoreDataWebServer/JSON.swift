import CoreDataStrictJSON
public import Foundation

/// JSON as it crosses the border: dates are `2026-11-20T15:30:00.000Z`.
public enum JSON {
  public static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    // In one order always, so that equal values have equal bytes.
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(text(of: date))
    }
    return encoder
  }

  public static func decoder() -> JSONBodyDecoder { JSONBodyDecoder() }

  /// A date as text, in UTC, with milliseconds.
  public static func text(of date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// The date that a text means, with or without parts of a second.
  public static func date(from text: String) -> Date? {
    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }
}

/// Reads values of JSON in one pass, within the limits for requests.
public struct JSONBodyDecoder: Sendable {
  /// A value of a type.
  ///
  /// - Throws: A `JSONProblem` for data that is not JSON or too much of it, and a `DecodingError` for JSON that does
  ///   not
  ///   fit.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONReading.decode(type, from: JSONValue(parsing: data), date: JSON.date)
  }
}

extension Problem {
  /// The problem of a body that should be JSON.
  init(_ problem: JSONProblem) {
    switch problem.reason {
    case .malformed: self.init(400, "The body of the request is not JSON.")
    case .tooDeep, .numberOutOfBounds:
      self.init(400, "The body of the request cannot be read. \(problem.sentence)")
    case .tooMany: self.init(413, "The body of the request is too large. \(problem.sentence)")
    case .cancelled: self = .abandoned
    }
  }

  /// The problem of a body that should be a value.
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(400, "The field \((context.codingPath + [key]).spelled) is missing.")
    case .typeMismatch(let type, let context):
      self.init(400, "\(context.codingPath.asPlace) is not \(words(for: type)).")
    case .valueNotFound(let type, let context):
      self.init(400, "\(context.codingPath.asPlace) is null, but \(words(for: type)) is needed.")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      self.init(400, "The body of the request is not JSON.")
    case .dataCorrupted(let context):
      self.init(400, "\(context.codingPath.asPlace) has a value that cannot be read.")
    @unknown default:
      self.init(400, "The body of the request cannot be read.")
    }
  }
}

/// The name of a type's values for people who write JSON.
private func words(for type: Any.Type) -> String {
  switch type {
  case is String.Type: "a text"
  case is Bool.Type: "true or false"
  case is any BinaryInteger.Type: "a whole number"
  case is any BinaryFloatingPoint.Type: "a number"
  case is [String: Any].Type: "an object"
  case is [Any].Type: "a list"
  default: "a value of the kind that belongs there"
  }
}

extension [any CodingKey] {
  fileprivate var spelled: String {
    "“\(map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))”"
  }

  fileprivate var asPlace: String {
    isEmpty ? "The body of the request" : "The field \(spelled)"
  }
}
