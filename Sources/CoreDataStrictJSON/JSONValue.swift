public import Foundation

/// A piece of JSON of any shape.
///
/// ```swift
/// let value = try JSONValue(parsing: request.body)
/// let edit = try JSONReading.decode(NoteEdit.self, from: value)
/// ```
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object(JSONMembers)

  /// Reads JSON in one pass, within limits.
  ///
  /// - Throws: A ``JSONProblem`` with the problem and its place.
  public init(parsing data: Data, within limits: JSONLimits = .sent) throws(JSONProblem) {
    self = try JSONParser.value(of: data, within: limits)
  }

  /// Reads a text that this program has stored; null if it is not JSON.
  public init(text: String) {
    // A text that is damaged cannot be shown.
    self = (try? JSONValue(parsing: Data(text.utf8), within: .stored)) ?? .null
  }

  /// The value as text, its members in the order of their names.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // A number such as infinity, which no JSON that was read has.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

extension JSONValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .list(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSONValue: Decodable {
  /// Takes the value as it was read.
  ///
  /// - Throws: A `DecodingError` where the decoder is not one of ``JSONReading``: others would read each
  ///   value several times, to find out what it is.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONValueDecoder else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "JSON of any shape is decoded by JSONReading only"
        )
      )
    }
    self = decoder.value
  }
}
