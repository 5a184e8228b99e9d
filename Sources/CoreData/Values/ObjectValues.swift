/// Values of an object, taken out of its context; they can be sent to other tasks, and encoded.
///
/// An encoder writes them as an object with the names of the ``ObjectShape``. How dates and data are written is
/// the encoder's decision, such as that of `JSONEncoder.dateEncodingStrategy`. A property without a value is
/// written as null.
public struct ObjectValues: Encodable, Sendable {
  private let fields: [Field]

  struct Field: Sendable {
    let name: String
    let value: Value
  }

  enum Value: Sendable {
    case none
    // The values of most properties, so that an encoder need not find out their types.
    case integer(Int64)
    case real(Double)
    case flag(Bool)
    case text(String)
    case single(any Encodable & Sendable)
    case object(ObjectValues)
    case list([ObjectValues])
  }

  init(_ fields: [Field]) {
    self.fields = fields
  }

  /// The value with a name; `nil` if it is missing or empty, or if it is that of a relationship.
  ///
  /// - Parameter name: A name of the shape.
  public subscript(name: String) -> (any Encodable & Sendable)? {
    switch fields.first(where: { $0.name == name })?.value {
    case .integer(let value): value
    case .real(let value): value
    case .flag(let value): value
    case .text(let value): value
    case .single(let value): value
    case .none?, .object, .list, nil: nil
    }
  }

  /// Writes the values as an object.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for field in fields {
      let name = Name(stringValue: field.name)
      switch field.value {
      case .none: try container.encodeNil(forKey: name)
      case .integer(let value): try container.encode(value, forKey: name)
      case .real(let value): try container.encode(value, forKey: name)
      case .flag(let value): try container.encode(value, forKey: name)
      case .text(let value): try container.encode(value, forKey: name)
      case .single(let value): try container.encode(value, forKey: name)
      case .object(let values): try container.encode(values, forKey: name)
      case .list(let values): try container.encode(values, forKey: name)
      }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
