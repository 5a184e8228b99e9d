/// Expands the macros of SwiftData, message by message.
struct MacroExpander {
  /// The class whose members were asked for last.
  ///
  /// The compiler sends the whole class again with each of its members.
  private var lastParent: (text: String, model: ModelDeclaration?)?

  /// Answers a message of the compiler.
  ///
  /// - Parameter bytes: The message, without its length.
  /// - Returns: The answer; for a message that cannot be read, an expansion without text that carries an error.
  mutating func answer(to bytes: [UInt8]) -> JSONValue {
    guard case .object(let members)? = JSONReader.value(of: bytes), let request = members.first
    else { return refusal("a message of the compiler is not JSON") }
    switch request.name {
    case "getCapability":
      return ["getCapabilityResult": ["capability": ["protocolVersion": 7, "features": []]]]
    case "expandAttachedMacro":
      return expand(MacroRequest(request.value)).answer
    case "expandFreestandingMacro":
      // #Unique and #Index are read by @Model, in the source of its class.
      return Expansion().answer
    default:
      return refusal("the compiler asks for '\(request.name)', which this version does not know")
    }
  }

  private func refusal(_ reason: String) -> JSONValue {
    let message = "SwiftData's macros do not fit this compiler: \(reason)"
    return Expansion(diagnostics: [Diagnostic(.error, message, at: 0, in: SourceText(""))]).answer
  }

  mutating func expand(_ request: MacroRequest) -> Expansion {
    switch (request.macro, request.role) {
    case ("ModelMacro", "member"): return ModelMembers.expansion(for: request)
    case ("ModelMacro", "memberAttribute"): return attribute(for: request)
    case ("ModelMacro", "extension"): return conformances(for: request)
    case ("PersistedPropertyMacro", "accessor"): return PersistedProperty.accessors(for: request)
    case ("PersistedPropertyMacro", "peer"): return PersistedProperty.storage(for: request)
    case ("ModelActorMacro", "member"): return ModelActorMembers.expansion(for: request)
    case ("ModelActorMacro", "extension"): return conformances(for: request)
    default:
      // @Attribute, @Relationship and @Transient only tell @Model something.
      return Expansion()
    }
  }
}

// MARK: - Roles of @Model

extension MacroExpander {
  /// Gives a stored property of a model its accessors.
  private mutating func attribute(for request: MacroRequest) -> Expansion {
    guard let model = parent(of: request),
      let name = ModelReader.properties(in: request.declaration).first?.name,
      let property = model.persistentProperties.first(where: { $0.name == name }),
      property.isAccessed
    else { return Expansion() }
    return Expansion(source: "@SwiftData._PersistedProperty(\(model.place(of: name)))")
  }

  /// The class around a member; nil if it cannot be a model.
  private mutating func parent(of request: MacroRequest) -> ModelDeclaration? {
    if let lastParent, lastParent.text == request.parent.text { return lastParent.model }
    let declaration = ModelReader.declaration(in: request.parent)
    let model = ModelCheck(declaration, in: request.parent).fails ? nil : declaration
    lastParent = (request.parent.text, model)
    return model
  }

  private func conformances(for request: MacroRequest) -> Expansion {
    let modules = [
      "PersistentModel": "SwiftData", "ModelActor": "SwiftData", "Observable": "Observation",
    ]
    let names = request.missingConformances.compactMap { conformance -> String? in
      let name = conformance.split(separator: ".").last.map(String.init) ?? ""
      return modules[name].map { "nonisolated \($0).\(name)" }
    }
    let refusals = Self.refusals(of: request)
    guard !names.isEmpty, refusals.isEmpty else {
      // The compiler does not ask for the members of an enum.
      return Expansion(diagnostics: refusals.filter { _ in Self.isEnum(request) })
    }
    return Expansion(
      source: "extension \(request.extendedType): \(names.joined(separator: ", ")) {}"
    )
  }

  /// The errors of a type that cannot have the macro: then it gets none of an empty conformance as well.
  private static func refusals(of request: MacroRequest) -> [Diagnostic] {
    guard request.macro == "ModelMacro" else { return ModelActorMembers.diagnostics(of: request) }
    let model = ModelReader.declaration(in: request.declaration)
    return ModelCheck(model, in: request.declaration).diagnostics.filter { $0.severity == .error }
  }

  private static func isEnum(_ request: MacroRequest) -> Bool {
    ModelReader.declaration(in: request.declaration).kind == .enum
  }
}
