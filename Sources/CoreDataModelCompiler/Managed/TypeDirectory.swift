package import CoreDataSwiftCode

/// The types that Swift code of one module can name: its own, those of the modules that it depends on, and
/// those that everybody has.
package struct TypeDirectory {
  let module: String
  /// By module, then by path, such as `Models.Note`.
  private var types: [String: [String: SwiftType]] = [:]
  private var aliases: [String: [String: SwiftAlias]] = [:]
  /// The other modules, in the order in which they are asked.
  private var others: [String] = []

  package init(module: String) {
    self.module = module
  }

  /// Adds what a file of a module declares.
  package mutating func add(_ declarations: SwiftDeclarations, of module: String) {
    if module != self.module, types[module] == nil { others.append(module) }
    var (types, aliases) = (self.types[module] ?? [:], self.aliases[module] ?? [:])
    for type in declarations.types {
      types[Self.path(type.place.names + [type.name]), default: type] = type
    }
    for alias in declarations.aliases {
      aliases[Self.path(alias.place.names + [alias.name]), default: alias] = alias
    }
    self.types[module] = types
    self.aliases[module] = aliases
  }

  /// Adds a class that is generated from a model.
  package mutating func add(generatedClass name: String, of module: String) {
    let type = SwiftType(publicClass: name, inheriting: "NSManagedObject")
    if module != self.module, types[module] == nil { others.append(module) }
    types[module, default: [:]][name, default: type] = type
  }

  private static func path(_ names: some Sequence<String>) -> String {
    names.joined(separator: ".")
  }
}

/// Why a type of a property cannot be served, as the end of a sentence.
struct UnresolvedType: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

// MARK: - From spelling to type

extension TypeDirectory {
  private static let deepest = 32

  /// The type that a spelling means in a place.
  func resolve(
    _ syntax: SwiftTypeSyntax,
    in place: [String],
    depth: Int = 0
  ) throws(UnresolvedType) -> SymbolType {
    guard depth < Self.deepest else { throw UnresolvedType("its type aliases lead in a circle") }
    switch syntax {
    case .optional(let type): return .optional(try resolve(type, in: place, depth: depth + 1))
    case .array(let type):
      return .generic(.standard("a"), [try resolve(type, in: place, depth: depth + 1)])
    case .dictionary(let key, let value):
      let key = try resolve(key, in: place, depth: depth + 1)
      return .generic(.standard("D"), [key, try resolve(value, in: place, depth: depth + 1)])
    case .existential(let parts): return try existential(parts, in: place, depth: depth + 1)
    case .named(let components): return try named(components, in: place, depth: depth + 1)
    case .other(let what):
      throw UnresolvedType(
        "its type is \(what); declare a property that computes it from managed ones"
      )
    }
  }

  private func existential(
    _ parts: [SwiftTypeSyntax],
    in place: [String],
    depth: Int
  ) throws(UnresolvedType) -> SymbolType {
    guard parts.count == 1, let part = parts.first else {
      throw UnresolvedType("its type is of several protocols; choose one class or one protocol")
    }
    let type = try resolve(part, in: place, depth: depth)
    switch type {
    case .any, .anyObject, .existential: return type
    case .standard, .nominal, .generic, .optional:
      throw UnresolvedType("'\(part.spelling)' is not a protocol")
    }
  }

  private func named(
    _ components: [SwiftTypeSyntax.Component],
    in place: [String],
    depth: Int
  ) throws(UnresolvedType) -> SymbolType {
    let names = components.map(\.name)
    if let arguments = components.last?.arguments, !arguments.isEmpty {
      return try generic(names, arguments, in: place, depth: depth)
    }
    if let found = try declared(names, in: place, depth: depth) { return found }
    let isQualified = names.count == 2 && ["Swift", "Foundation", "CoreData"].contains(names[0])
    if names.count == 1 || isQualified, let type = KnownTypes.type(named: names[names.count - 1]) {
      return type
    }
    if names.last == "NSMutableSet" || names.last == "NSMutableOrderedSet" {
      throw UnresolvedType(
        "a managed property has no mutable set; declare it as NSSet or NSOrderedSet, and change it "
          + "with mutableSetValue(forKey:)"
      )
    }
    throw UnresolvedType(
      "the type '\(Self.path(names))' is not declared in this target, in one that it depends on, or in "
        + "Foundation; declare it in Swift code, or write the property's accessors with value(forKey:)"
    )
  }

  private func generic(
    _ names: [String],
    _ arguments: [SwiftTypeSyntax],
    in place: [String],
    depth: Int
  ) throws(UnresolvedType) -> SymbolType {
    var types: [SymbolType] = []
    for argument in arguments { types.append(try resolve(argument, in: place, depth: depth)) }
    let name = names.last ?? ""
    if name == "Optional", types.count == 1 { return .optional(types[0]) }
    guard let collection = KnownTypes.collections[name], collection.arguments == types.count else {
      throw UnresolvedType(
        "'\(Self.path(names))' is a generic type; declare a class or struct that holds it"
      )
    }
    return .generic(.standard(collection.letter), types)
  }
}

// MARK: - Declared types

extension TypeDirectory {
  /// The declared type that a dotted name means, looked for from the place outwards.
  private func declared(
    _ names: [String],
    in place: [String],
    depth: Int
  ) throws(UnresolvedType) -> SymbolType? {
    for length in stride(from: place.count, through: 0, by: -1) {
      for module in [module] + others {
        let path = Array(place.prefix(length)) + names
        if let type = try found(path, in: module, depth: depth) { return type }
      }
    }
    guard let first = names.first, names.count > 1, ([module] + others).contains(first) else {
      return nil
    }
    if let type = try found(Array(names.dropFirst()), in: first, depth: depth) { return type }
    return nil
  }

  private func found(
    _ path: [String],
    in module: String,
    depth: Int
  ) throws(UnresolvedType) -> SymbolType? {
    let text = Self.path(path)
    if let type = types[module]?[text] {
      try check(type.access, of: text, isGeneric: type.isGeneric, in: module)
      let nominal = try nominal(type, in: module, depth: depth)
      return type.kind == .protocol ? .existential(.nominal(nominal)) : .nominal(nominal)
    }
    guard let alias = aliases[module]?[text] else { return nil }
    try check(alias.access, of: text, isGeneric: alias.isGeneric, in: module)
    return try resolve(alias.type, in: alias.place.names, depth: depth + 1)
  }

  private func check(
    _ access: SwiftAccess,
    of name: String,
    isGeneric: Bool,
    in module: String
  ) throws(UnresolvedType) {
    if isGeneric {
      throw UnresolvedType("'\(name)' is a generic type; declare a class or struct that holds it")
    }
    if access.isOfFile {
      throw UnresolvedType("'\(name)' is private to its file; make it internal")
    }
    if module != self.module, access < .package {
      throw UnresolvedType("'\(name)' of module \(module) is not public")
    }
  }

  func nominal(
    _ type: SwiftType,
    in module: String,
    depth: Int = 0
  ) throws(UnresolvedType) -> SymbolNominal {
    SymbolNominal(
      kind: SymbolNominal.Kind(type.kind),
      name: type.name,
      context: try context(type.place.names, in: module, depth: depth + 1)
    )
  }

  /// The context of a declaration whose place has these names.
  func context(
    _ names: [String],
    in module: String,
    depth: Int = 0
  ) throws(UnresolvedType) -> SymbolContext {
    guard !names.isEmpty else { return .module(module) }
    guard depth < Self.deepest else { throw UnresolvedType("it is nested too deeply") }
    if let type = types[module]?[Self.path(names)] {
      try check(.internal, of: type.name, isGeneric: type.isGeneric, in: self.module)
      return .type(try nominal(type, in: module, depth: depth))
    }
    let components = names.map { SwiftTypeSyntax.Component($0) }
    let extended = try resolve(.named(components), in: [], depth: depth)
    if case .nominal(let nominal) = extended, nominal.module == module { return .type(nominal) }
    return .extension(of: extended, in: module)
  }
}

extension SymbolNominal.Kind {
  init(_ kind: SwiftType.Kind) {
    self =
      switch kind {
      case .class, .actor: .class
      case .struct: .struct
      case .enum: .enum
      case .protocol: .protocol
      }
  }
}
