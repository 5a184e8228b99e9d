/// The declarations of a Swift source file, as far as the accessors of `@NSManaged` need them.
package struct SwiftDeclarations: Hashable, Sendable {
  package var types: [SwiftType] = []
  package var aliases: [SwiftAlias] = []
  package var members: [ManagedMember] = []

  package init() {}
}

/// A class, struct, enum, actor or protocol.
package struct SwiftType: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case `class`, `struct`, `enum`, `protocol`, actor
  }

  package let kind: Kind
  package let place: SwiftPlace
  package let name: String
  package let access: SwiftAccess
  package let isGeneric: Bool
  /// The names after the colon: the superclass, protocols, the type of raw values.
  package let inherited: [String]

  package init(
    kind: Kind,
    place: SwiftPlace,
    name: String,
    access: SwiftAccess,
    isGeneric: Bool,
    inherited: [String]
  ) {
    self.kind = kind
    self.place = place
    self.name = name
    self.access = access
    self.isGeneric = isGeneric
    self.inherited = inherited
  }

  /// A class at file scope that everybody sees.
  package init(publicClass name: String, inheriting superclass: String) {
    self.init(
      kind: .class,
      place: SwiftPlace(),
      name: name,
      access: .public,
      isGeneric: false,
      inherited: [superclass]
    )
  }
}

/// A type alias.
package struct SwiftAlias: Hashable, Sendable {
  package let place: SwiftPlace
  package let name: String
  package let access: SwiftAccess
  package let isGeneric: Bool
  package let type: SwiftTypeSyntax
}

/// The place of a declaration: the types around it, outermost first; empty at file scope.
package struct SwiftPlace: Hashable, Sendable {
  package var names: [String] = []
  /// Whether an extension is around it, which may extend a type of another module.
  package var isExtension = false
  /// The access of the type around it.
  package var access: SwiftAccess = .open
  /// The access that an extension gives all its members.
  var memberAccess: SwiftAccess?

  /// The access of a declaration here that does not name one.
  var defaultAccess: SwiftAccess { memberAccess ?? .internal }
}

/// The access of a declaration.
package enum SwiftAccess: String, Hashable, Sendable, Comparable {
  case `private`, `fileprivate`, `internal`, package, `public`, open

  private var rank: Int {
    switch self {
    case .private: 0
    case .fileprivate: 1
    case .internal: 2
    case .package: 3
    case .public: 4
    case .open: 5
    }
  }

  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  /// The widest access of declarations within a type that has this access.
  var limit: Self { self == .private ? .fileprivate : self }

  /// Whether a declaration is known in its own file only.
  package var isOfFile: Bool { self <= .fileprivate }
}

/// A property or method that carries `@NSManaged`.
package struct ManagedMember: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    case property(SwiftTypeSyntax)
    case method(parameters: [Parameter], result: SwiftTypeSyntax?)
    /// A type that cannot be read, with the reason.
    case unreadable(String)
  }

  package struct Parameter: Hashable, Sendable {
    /// The name at the call, empty for `_`.
    package let label: String
    package let type: SwiftTypeSyntax
  }

  package let name: String
  package let shape: Shape
  /// The class, or what an extension extends.
  package let place: SwiftPlace
  package let access: SwiftAccess
  /// The condition of the `#if` around it, if any is in doubt.
  package let condition: String?
  package let line: Int
  package let column: Int
}
