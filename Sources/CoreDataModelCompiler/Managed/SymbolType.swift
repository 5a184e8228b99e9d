/// A type as the names of symbols say it: with its module, and told apart by its kind.
indirect enum SymbolType: Hashable, Sendable {
  /// A type of the standard library with a letter of its own, such as `S` for `String`.
  case standard(Character)
  case nominal(SymbolNominal)
  case generic(Self, [Self])
  case optional(Self)
  case existential(SymbolProtocol)
  case any
  case anyObject
}

/// A protocol: of the standard library with a letter of its own, or declared somewhere.
enum SymbolProtocol: Hashable, Sendable {
  case standard(Character)
  case nominal(SymbolNominal)
}

/// A class, struct, enum or protocol, and the place of its declaration.
struct SymbolNominal: Hashable, Sendable {
  enum Kind: Character, Sendable {
    case `class` = "C"
    case `struct` = "V"
    case `enum` = "O"
    case `protocol` = "P"
  }

  let kind: Kind
  let name: String
  let context: SymbolContext
}

/// The context of a declaration.
indirect enum SymbolContext: Hashable, Sendable {
  case module(String)
  case type(SymbolNominal)
  /// An extension, in another module than the type that it extends.
  case `extension`(of: SymbolType, in: String)
}

extension SymbolType {
  static let string = Self.standard("S")
  static let double = Self.standard("d")
  static let bool = Self.standard("b")

  static func swift(_ name: String) -> Self {
    .nominal(SymbolNominal(kind: .struct, name: name, context: .module("Swift")))
  }

  static func foundation(_ name: String) -> Self {
    .nominal(SymbolNominal(kind: .class, name: name, context: .module("Foundation")))
  }

  static func essentials(_ name: String) -> Self {
    .nominal(SymbolNominal(kind: .struct, name: name, context: .module("FoundationEssentials")))
  }

  /// The modules that the type's parts come from.
  var modules: Set<String> {
    switch self {
    case .standard, .any, .anyObject, .existential(.standard): []
    case .nominal(let nominal), .existential(.nominal(let nominal)): [nominal.module]
    case .generic(let base, let arguments):
      arguments.reduce(base.modules) { $0.union($1.modules) }
    case .optional(let type): type.modules
    }
  }
}

extension SymbolNominal {
  var module: String {
    switch context {
    case .module(let name), .extension(_, let name): name
    case .type(let type): type.module
    }
  }
}
