import Foundation

extension CastType {
  /// The value as another type; `nil` if it has no meaning there.
  ///
  /// Dates and numbers turn into each other as seconds since 2001.
  func converted(_ operand: Operand) -> Any? {
    switch self {
    case .date: Self.date(operand)
    case .number: Self.number(operand)?.value
    case .decimal: Self.number(operand)?.exactDecimal
    case .string: Self.text(operand)
    case .uuid: Self.uuid(operand)
    case .url: Self.url(operand)
    }
  }

  private static func date(_ operand: Operand) -> Date? {
    switch operand {
    case .date(let date): date
    case .number(let number): Date(timeIntervalSinceReferenceDate: number.double)
    case .text(let text):
      Double(text).map(Date.init(timeIntervalSinceReferenceDate:)) ?? written(text)
    case .nothing, .uuid, .url, .data, .collection, .dictionary, .object: nil
    }
  }

  /// ISO 8601 with or without fractions of a second, or a day, which begins in UTC.
  private static func written(_ text: String) -> Date? {
    // A text that is not a date in one form may be one in another; if it is one in none, the cast
    // gives no value.
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text + "T00:00:00Z", strategy: .iso8601))
  }

  private static func number(_ operand: Operand) -> Number? {
    switch operand {
    case .number(let number): number
    case .date(let date): .real(date.timeIntervalSinceReferenceDate)
    case .text(let text):
      Int64(text).map(Number.integer) ?? Decimal(string: text).map(Number.decimal)
    case .nothing, .uuid, .url, .data, .collection, .dictionary, .object: nil
    }
  }

  private static func text(_ operand: Operand) -> String? {
    switch operand {
    case .text(let text): text
    case .number(let number): "\(number.value)"
    case .date(let date): date.words
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .nothing, .data, .collection, .dictionary, .object: nil
    }
  }

  private static func uuid(_ operand: Operand) -> UUID? {
    switch operand {
    case .uuid(let uuid): uuid
    case .text(let text): UUID(uuidString: text)
    case .nothing, .number, .date, .url, .data, .collection, .dictionary, .object: nil
    }
  }

  private static func url(_ operand: Operand) -> URL? {
    switch operand {
    case .url(let url): url
    case .text(let text): URL(string: text)
    case .nothing, .number, .date, .uuid, .data, .collection, .dictionary, .object: nil
    }
  }
}
