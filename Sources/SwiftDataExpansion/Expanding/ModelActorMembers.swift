/// Writes the members that `@ModelActor` adds to an actor.
enum ModelActorMembers {
  static func expansion(for request: MacroRequest) -> Expansion {
    let diagnostics = diagnostics(of: request)
    guard diagnostics.isEmpty else { return Expansion(diagnostics: diagnostics) }
    let actor = ModelReader.declaration(in: request.declaration)
    let declared = Set(actor.properties.map(\.name))
    var members = [
      ("modelExecutor", "any SwiftData.ModelExecutor"),
      ("modelContainer", "SwiftData.ModelContainer"),
    ]
    .filter { !declared.contains($0.0) }
    .map { "\(actor.memberAccess)nonisolated let \($0.0): \($0.1)" }
    if !actor.initializers.contains(["modelContainer"]) {
      members.append(
        """
        \(actor.memberAccess)init(modelContainer: SwiftData.ModelContainer) {
          let context = SwiftData.ModelContext(modelContainer)
          self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: context)
          self.modelContainer = modelContainer
        }
        """
      )
    }
    return Expansion(source: members.joined(separator: "\n"))
  }

  static func diagnostics(of request: MacroRequest) -> [Diagnostic] {
    let actor = ModelReader.declaration(in: request.declaration)
    if actor.kind == .actor { return [] }
    let message =
      "@ModelActor goes with an actor, and '\(actor.name)' is \(actor.kind.phrase); declare it as 'actor \(actor.name)'"
    return [Diagnostic(.error, message, at: actor.place, in: request.declaration)]
  }
}
