/// How an attribute's values are stored, as a description that needs no type of the program.
enum AttributeStorage {
  /// One column.
  case plain(any PlainValue.Type)
  /// An enumeration with raw values.
  case rawValues
  /// An enumeration without raw values, with the names of its cases.
  case cases([String])
  /// A structure.
  case structure
  /// JSON: in a keyed archive, unless it is an element of a structure.
  case json(className: String)
  /// Values that a transformer of the program's converts.
  case transformed(className: String)
  /// Values that no store can have.
  case unstored

  init(_ form: ValueForm) {
    self =
      switch form {
      case .plain(let type): .plain(type)
      case .rawValues: .rawValues
      case .cases(let names): .cases(names)
      case .structure: .structure
      case .json(let type): .json(className: "\(type)")
      case .transformed(let type): .transformed(className: "\(type)")
      case .unstored: .unstored
      }
  }

  /// Whether the attribute consists of elements.
  var isComposite: Bool {
    switch self {
    case .rawValues, .cases, .structure: true
    case .plain, .json, .transformed, .unstored: false
    }
  }
}

extension AttributeStorage: Codable {
  private enum Kind: String, Codable {
    case plain, rawValues, cases, structure, json, transformed, unstored
  }

  private enum CodingKeys: String, CodingKey {
    case kind, type, cases
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func type() throws -> String { try container.decode(String.self, forKey: .type) }
    switch try container.decode(Kind.self, forKey: .kind) {
    case .plain:
      let name = try type()
      guard let plain = PlainTypes.byName[name] else {
        throw DecodingError.dataCorruptedError(
          forKey: .type,
          in: container,
          debugDescription: "\(name) is not a type that has a column of its own"
        )
      }
      self = .plain(plain)
    case .rawValues: self = .rawValues
    case .cases: self = .cases(try container.decode([String].self, forKey: .cases))
    case .structure: self = .structure
    case .json: self = .json(className: try type())
    case .transformed: self = .transformed(className: try type())
    case .unstored: self = .unstored
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .plain(let type):
      try container.encode(Kind.plain, forKey: .kind)
      try container.encode("\(type)", forKey: .type)
    case .rawValues: try container.encode(Kind.rawValues, forKey: .kind)
    case .cases(let names):
      try container.encode(Kind.cases, forKey: .kind)
      try container.encode(names, forKey: .cases)
    case .structure: try container.encode(Kind.structure, forKey: .kind)
    case .json(let className):
      try container.encode(Kind.json, forKey: .kind)
      try container.encode(className, forKey: .type)
    case .transformed(let className):
      try container.encode(Kind.transformed, forKey: .kind)
      try container.encode(className, forKey: .type)
    case .unstored: try container.encode(Kind.unstored, forKey: .kind)
    }
  }
}
