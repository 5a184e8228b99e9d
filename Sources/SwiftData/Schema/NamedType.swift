/// The type of a property, which a file names.
///
/// Safety: a value; types are immutable.
enum NamedType: @unchecked Sendable {
  case known(Any.Type)
  /// A type that the program does not have, with its name in source code and its mangled name.
  case missing(name: String, symbol: String?)

  init(_ type: Any.Type) { self = .known(type) }

  /// The type; `Never` if the program does not have it.
  var type: Any.Type {
    switch self {
    case .known(let type): type
    case .missing: Never.self
    }
  }

  var isKnown: Bool {
    if case .known = self { true } else { false }
  }

  var name: String {
    switch self {
    case .known(let type): "\(type)"
    case .missing(let name, _): name
    }
  }

  private var symbol: String? {
    switch self {
    case .known(let type): _mangledTypeName(type)
    case .missing(_, let symbol): symbol
    }
  }
}

extension NamedType: Equatable {
  static func == (one: NamedType, other: NamedType) -> Bool {
    switch (one, other) {
    case (.known(let one), .known(let other)): one == other
    case (.missing(let one, _), .missing(let other, _)): one == other
    case (.known, .missing), (.missing, .known): false
    }
  }
}

extension NamedType: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, symbol
  }

  /// No type of a program has a longer mangled name.
  private static let longestSymbol = 4096

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    let symbol = try container.decodeIfPresent(String.self, forKey: .symbol)
    // Another type may have the mangled name today.
    if let symbol, Self.isMangled(symbol), let type = _typeByName(symbol), "\(type)" == name {
      self = .known(type)
    } else {
      self = .missing(name: name, symbol: symbol)
    }
  }

  private static func isMangled(_ symbol: String) -> Bool {
    symbol.utf8.count <= longestSymbol
      && symbol.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"):
          true
        case _: false
        }
      }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(symbol, forKey: .symbol)
  }
}
