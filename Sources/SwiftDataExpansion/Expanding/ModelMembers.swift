import CoreDataSwiftCode

/// Writes the members that `@Model` adds to a class.
struct ModelMembers {
  private let model: ModelDeclaration
  /// Whether a superclass is a model: then the compiler asks for no conformance.
  private let isSubclass: Bool

  static func expansion(for request: MacroRequest) -> Expansion {
    let model = ModelReader.declaration(in: request.declaration)
    let isSubclass = !(request.missingConformances + model.inherited).contains {
      $0.hasSuffix("PersistentModel")
    }
    let check = ModelCheck(model, in: request.declaration)
    let members = check.fails ? [] : Self(model: model, isSubclass: isSubclass).text
    return Expansion(
      source: members.joined(separator: "\n"),
      diagnostics: check.diagnostics
    )
  }

  private var text: [String] {
    [backingData, schemaMetadata, schemaConstraints, root, initializer, persistentBackingData]
      .filter { !$0.isEmpty }
  }

  private var backingData: String {
    "private var _$backingData = SwiftData._ModelBacking(\(model.name).self)"
  }

  /// The words before `var` in a property of the class that subclasses override.
  private var classProperty: String {
    let inherited = isSubclass ? "override " : ""
    if model.isFinal { return "\(model.memberAccess)nonisolated \(inherited)static" }
    return "\(model.access == .open ? "open " : model.memberAccess)nonisolated \(inherited)class"
  }

  private var root: String {
    isSubclass ? "" : "\(model.memberAccess)typealias _$ModelRoot = \(model.name)"
  }

  private var persistentBackingData: String {
    isSubclass
      ? ""
      : """
      \(model.memberAccess)var persistentBackingData: any SwiftData.BackingData<\(model.name)> {
        get { _$backingData.backingData(for: \(model.name).self) }
        set { _$backingData.adopt(newValue, \(model.name).self) }
      }
      """
  }
}

// MARK: - Schema

extension ModelMembers {
  private var schemaMetadata: String {
    list(
      "schemaMetadata",
      of: "SwiftData.Schema.PropertyMetadata",
      model.persistentProperties.flatMap(parts)
    )
  }

  /// A property's metadata; twice if its attribute is under a condition of its own.
  private func parts(of property: ModelProperty) -> [(text: String, condition: String?)] {
    let options = property.attribute("Relationship") ?? property.attribute("Attribute")
    let whole = (metadata(of: property, options), options?.condition ?? property.condition)
    guard let condition = options?.condition, condition != property.condition else {
      return [whole]
    }
    let other = property.condition.map { "\($0) && " } ?? ""
    return [whole, (metadata(of: property, nil), "\(other)!(\(condition))")]
  }

  private var schemaConstraints: String {
    if model.isFinal, !isSubclass, model.constraints.isEmpty { return "" }
    return list(
      "_schemaConstraints",
      of: "SwiftData._SchemaConstraint",
      model.constraints.map { constraint in
        let function = constraint.name == "Unique" ? "unique" : "index"
        let arguments = constraint.arguments
        let text = "SwiftData._SchemaConstraint.\(function)(\(model.name).self, \(arguments))"
        return (text, constraint.condition)
      }
    )
  }

  /// A property of the class whose value is made of parts, some of them under a condition.
  ///
  /// The initial values of the class are in it: the local name must not be one of theirs.
  private func list(
    _ name: String,
    of type: String,
    _ parts: [(text: String, condition: String?)]
  ) -> String {
    let statements = parts.map { part in
      Self.conditional("_$list += \(part.text)", part.condition)
    }
    if parts.isEmpty { return "\(classProperty) var \(name): [\(type)] { [] }" }
    return """
      \(classProperty) var \(name): [\(type)] {
        var _$list: [\(type)] = []
        \(statements.joined(separator: "\n  "))
        return _$list
      }
      """
  }

  private func metadata(of property: ModelProperty, _ options: SwiftAttribute?) -> String {
    let kind = options.map { "SwiftData.Schema.\($0.name)(\($0.arguments))" }
    var parts = [
      "name: \"\(property.name)\"", "keypath: \\\(model.name).\(property.spelling)",
      "defaultValue: \(defaultValue(of: property))", "metadata: \(kind ?? "nil")",
    ]
    if property.isConstant { parts.append("isConstant: true") }
    return "[SwiftData.Schema.PropertyMetadata(\(parts.joined(separator: ", ")))]"
  }

  private func defaultValue(of property: ModelProperty) -> String {
    guard let value = property.initialValue, value.text != "nil" else { return "nil" }
    guard let type = property.type?.text ?? value.type else { return "(\(value.text))" }
    return "(\(value.text)) as \(type)"
  }

  private static func conditional(_ text: String, _ condition: String?) -> String {
    guard let condition else { return text }
    return "#if \(condition)\n\(text)\n#endif"
  }
}

// MARK: - The initializer

extension ModelMembers {
  private var initializer: String {
    let data = isSubclass ? "_$ModelRoot" : model.name
    var statements = model.persistentProperties.compactMap { property in
      start(of: property).map { Self.conditional($0, property.condition) }
    }
    statements.append("_$backingData.adopt(backingData, \(model.name).self)")
    if isSubclass { statements.append("super.init(backingData: backingData)") }
    return """
      \(model.memberAccess)required init(backingData: any SwiftData.BackingData<\(data)>) {
        \(statements.joined(separator: "\n  "))
      }
      """
  }

  /// The statement that assigns a property so that the compiler is content, or a constant what the store has.
  private func start(of property: ModelProperty) -> String? {
    guard !property.startsByItself else { return nil }
    guard property.isConstant else {
      return "self._\(property.name) = SwiftData._SwiftDataNoType()"
    }
    let slot = Slot(property, place: model.place(of: property.name))
    return """
      self.\(property.spelling) = _$backingData.constant(\(slot.label)\(slot.arguments), \(slot.type), of: backingData)
      """
  }
}
