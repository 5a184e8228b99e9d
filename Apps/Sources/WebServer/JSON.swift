public import Foundation

/// JSON as it crosses the border: dates are `2026-11-20T15:30:00.000Z`.
public enum JSON {
  public static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(text(of: date))
    }
    return encoder
  }

  public static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = date(from: text) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "\(text) is no date such as 2026-11-20T15:30:00.000Z"
        )
      }
      return date
    }
    return decoder
  }

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

extension Problem {
  /// What is wrong with a body that should be a value.
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(400, "The field \((context.codingPath + [key]).spelled) is missing.")
    case .typeMismatch(let type, let context):
      self.init(400, "\(context.codingPath.asPlace) is not of the type \(type).")
    case .valueNotFound(let type, let context):
      self.init(400, "\(context.codingPath.asPlace) is null, but a \(type) is needed.")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      self.init(400, "The body of the request is not JSON.")
    case .dataCorrupted(let context):
      self.init(400, "\(context.codingPath.asPlace) has a value that cannot be read.")
    @unknown default:
      self.init(400, "The body of the request cannot be read.")
    }
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
