import CoreDataSwiftCode

/// A type to which a macro is attached, as far as the macros need it.
struct ModelDeclaration {
  enum Kind: String {
    case `class`, `struct`, `enum`, actor, `protocol`, `extension`, other
  }

  var kind = Kind.other
  var name = ""
  /// The offset of the name in the source.
  var place = 0
  var access: SwiftAccess?
  var isFinal = false
  var isGeneric = false
  /// The names after the colon.
  var inherited: [String] = []
  var properties: [ModelProperty] = []
  /// The offsets of `(a, b)` in `var (a, b) = …`.
  var patterns: [Int] = []
  /// `#Unique` and `#Index`.
  var constraints: [SwiftAttribute] = []
  /// The labels of each initializer.
  var initializers: [[String]] = []

  /// The access of members that belong to a protocol, with a blank behind it.
  var memberAccess: String {
    switch access {
    case .open, .public: "public "
    case .package: "package "
    case .internal, .fileprivate, .private, nil: ""
    }
  }

  /// The properties that a store keeps, in declared order.
  var persistentProperties: [ModelProperty] { properties.filter(\.isPersistent) }

  /// The place of a property among the persistent ones, as the framework orders them.
  func place(of name: String) -> Int {
    let bytes = Array(name.utf8)
    return persistentProperties.count {
      $0.name != name && $0.name.utf8.lexicographicallyPrecedes(bytes)
    }
  }
}

/// A property of a class.
struct ModelProperty {
  enum Body {
    /// `var a = 1`, perhaps with observers.
    case stored(observer: SwiftToken?)
    /// With a getter of its own.
    case computed
  }

  /// The name without backquotes.
  let name: String
  /// The name as the source spells it.
  let spelling: String
  /// The offset of the name in the source.
  let place: Int
  let isConstant: Bool
  /// The names of all properties of one `var` or `let`, this one's among them.
  var companions: [String] = []
  var modifiers: DeclarationModifiers
  var attributes: [SwiftAttribute]
  /// The condition of the `#if` around it, if any is in doubt.
  var condition: String?
  var type: WrittenType?
  var initialValue: InitialValue?
  var body = Body.stored(observer: nil)

  /// Whether a store keeps the property.
  var isPersistent: Bool {
    guard case .stored = body else { return false }
    return !modifiers.isStatic && !modifiers.has("lazy") && attribute("Transient") == nil
  }

  /// Whether the property gets accessors: a constant cannot have any.
  var isAccessed: Bool { isPersistent && !isConstant }

  /// Whether the property has a value before an initializer assigns one: `nil` is that of `var a: Int?`.
  var startsByItself: Bool {
    if initialValue != nil { return true }
    guard !isConstant, case .optional? = type?.syntax else { return false }
    return true
  }

  /// Whether the property keeps an object of a class that a transformer turns into data.
  var isTransformable: Bool {
    attribute("Attribute")?.arguments.contains("transformable") == true
  }

  func attribute(_ name: String) -> SwiftAttribute? {
    attributes.first { $0.name == name }
  }
}

/// A type as a property's declaration spells it.
struct WrittenType: Hashable {
  let syntax: SwiftTypeSyntax
  /// The text, in which `T!` is `T?`.
  let text: String

  var isOptional: Bool {
    switch syntax {
    case .optional: true
    case .named(let components): components.last?.name == "Optional"
    case .array, .dictionary, .existential, .other: false
    }
  }
}

/// The expression with which a property is declared.
struct InitialValue: Hashable {
  let text: String
  /// The type, if the text tells it.
  let type: String?
}

/// An attribute, or a macro that is a declaration of its own, with its arguments.
struct SwiftAttribute: Hashable {
  /// The last part of the name.
  let name: String
  /// The text between the parentheses.
  let arguments: String
  /// The offset of the name in the source.
  let place: Int
  /// Whether it is compiled only under some condition.
  let condition: String?
}
