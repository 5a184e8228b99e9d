import CoreDataSwiftCode

/// Finds the faults of a class that shall be a model.
struct ModelCheck {
  private let model: ModelDeclaration
  private let source: SourceText

  init(_ model: ModelDeclaration, in source: SourceText) {
    self.model = model
    self.source = source
  }

  /// Whether the class cannot be a model: then it gets no members, accessors or conformances, which would only add errors.
  var fails: Bool { diagnostics.contains { $0.severity == .error } }

  /// The errors and warnings, in the order of the source.
  var diagnostics: [Diagnostic] {
    if model.kind != .class {
      let remedy =
        "a model is an object that others refer to; declare it as 'final class \(model.name)'"
      return [
        error(
          "@Model goes with a class, and '\(model.name)' is \(model.kind.phrase): \(remedy)",
          model.place
        )
      ]
    }
    if model.isGeneric {
      let reason = "an entity has one set of properties; declare a class for each type"
      return [
        error("@Model does not go with the generic class '\(model.name)': \(reason)", model.place)
      ]
    }
    let members = patternErrors + model.properties.flatMap(diagnostics)
    return (initializerErrors + members).sorted { $0.offset < $1.offset }
  }

  private var initializerErrors: [Diagnostic] {
    guard model.initializers.isEmpty else { return [] }
    return [
      error(
        "@Model requires an initializer be provided for '\(model.name)'; write 'init() {}' if every property has a value",
        model.place
      )
    ]
  }

  private var patternErrors: [Diagnostic] {
    model.patterns.map {
      error(
        "a model cannot keep the parts of a tuple; declare each property by itself, or mark them @Transient",
        $0
      )
    }
  }

  private func diagnostics(of property: ModelProperty) -> [Diagnostic] {
    guard !property.modifiers.isStatic, case .stored(let observer) = property.body else {
      return []
    }
    if let lazy = property.modifiers.words.first(where: { $0.is("lazy") }) {
      return property.attribute("Transient") == nil ? [lazyError(property, at: lazy)] : []
    }
    guard property.isPersistent else { return transientErrors(of: property) }
    return companionErrors(of: property) + typeErrors(of: property) + doubleErrors(of: property)
      + observerWarnings(of: property, observer)
  }

  private func lazyError(_ property: ModelProperty, at place: SwiftToken) -> Diagnostic {
    error(
      "'\(property.name)' cannot be lazy: its value comes from the store; remove 'lazy', or mark it @Transient",
      place.range.lowerBound
    )
  }

  private func transientErrors(of property: ModelProperty) -> [Diagnostic] {
    guard property.initialValue == nil, property.isConstant || property.type?.isOptional != true
    else { return [] }
    return [
      error(
        "'\(property.name)' is @Transient and needs a default value: an object that is fetched has no other",
        property.place
      )
    ]
  }

  private func typeErrors(of property: ModelProperty) -> [Diagnostic] {
    guard let type = property.type else {
      return property.initialValue == nil
        ? [
          error(
            "'\(property.name)' needs a type, as in 'var \(property.name): String'",
            property.place
          )
        ] : []
    }
    guard !property.isTransformable, let kind = type.unstorable else { return [] }
    return [
      error(
        "'\(property.name)' cannot be kept in a store, because its type is \(kind); declare a Codable struct, or mark it @Transient",
        property.place
      )
    ]
  }

  /// The compiler gives accessors to a property that has a `var` to itself, to no other.
  private func companionErrors(of property: ModelProperty) -> [Diagnostic] {
    guard property.companions.count > 1, property.companions.first == property.name,
      !property.isConstant
    else { return [] }
    let names = property.companions.map { "'\($0)'" }
    let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    return [
      error(
        "\(list) are declared by one 'var'; a model declares each stored property by itself",
        property.place
      )
    ]
  }

  private func doubleErrors(of property: ModelProperty) -> [Diagnostic] {
    guard property.attribute("Attribute") != nil, let second = property.attribute("Relationship")
    else { return [] }
    return [
      error(
        "'\(property.name)' is either an attribute or a relationship; remove @Attribute or @Relationship",
        second.place
      )
    ]
  }

  private func observerWarnings(of property: ModelProperty, _ observer: SwiftToken?) -> [Diagnostic]
  {
    guard let observer, !property.isConstant else { return [] }
    let remedy = "change it in a method, or observe another property"
    return [
      Diagnostic(
        .warning,
        "'\(observer.text)' of '\(property.name)' is never called, because @Model gives the property accessors; \(remedy)",
        at: observer.range.lowerBound,
        in: source
      )
    ]
  }

  private func error(_ message: String, _ place: Int) -> Diagnostic {
    Diagnostic(.error, message, at: place, in: source)
  }
}

extension WrittenType {
  /// A tuple or function, which no attribute has.
  fileprivate var unstorable: String? {
    var type = syntax
    while true {
      switch type {
      case .optional(let wrapped), .array(let wrapped): type = wrapped
      case .other(let text): return ["a tuple", "a function"].contains(text) ? text : nil
      case .named, .dictionary, .existential: return nil
      }
    }
  }
}

extension ModelDeclaration.Kind {
  /// The kind with its article.
  var phrase: String {
    switch self {
    case .class: "a class"
    case .struct: "a struct"
    case .enum: "an enum"
    case .actor: "an actor"
    case .protocol: "a protocol"
    case .extension: "an extension"
    case .other: "no type"
    }
  }
}
