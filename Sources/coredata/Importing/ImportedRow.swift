/// A record whose cells have become values of properties, as a batch insertion takes it.
struct ImportedRow: Encodable {
  private(set) var values: [(property: PropertyName, value: PlainValue)] = []

  mutating func add(_ value: PlainValue, for property: PropertyName) {
    values.append((property, value))
  }

  /// Nil for a property of which the record says nothing.
  subscript(name: String) -> PlainValue? {
    values.first { $0.property.stringValue == name }?.value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PropertyName.self)
    for (property, value) in values {
      switch value {
      case .nothing: try container.encodeNil(forKey: property)
      case .text(let text): try container.encode(text, forKey: property)
      case .whole(let number): try container.encode(number, forKey: property)
      case .real(let number): try container.encode(number, forKey: property)
      case .single(let number): try container.encode(number, forKey: property)
      case .flag(let flag): try container.encode(flag, forKey: property)
      case .date(let date): try container.encode(date, forKey: property)
      case .decimal(let number): try container.encode(number, forKey: property)
      case .uuid(let uuid): try container.encode(uuid, forKey: property)
      case .url(let url): try container.encode(url, forKey: property)
      case .object(_, let address): try container.encode(address, forKey: property)
      }
    }
  }
}

/// A property, as the key of a value.
struct PropertyName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
