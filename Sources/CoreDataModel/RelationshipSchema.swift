/// A relationship as the model declares it.
package struct RelationshipSchema: Hashable, Sendable {
  package var name: String
  package var destinationName: String
  /// The name of the relationship back; nil when there is none.
  package var inverseName: String?
  package var isOptional = true
  package var isTransient = false
  package var isOrdered = false
  package var minCount = 0
  /// 1 for a to-one relationship, 0 for a to-many without a limit.
  package var maxCount = 1
  package var deleteRule = DeleteRule.nullify
  package var isIndexedBySpotlight = false
  package var isStoredInTruthFile = false
  package var userInfo: [String: String] = [:]
  package var versionHashModifier: String?
  package var renamingIdentifier: String?

  package var isToMany: Bool { maxCount != 1 }

  package init(name: String, destinationName: String, inverseName: String? = nil) {
    self.name = name
    self.destinationName = destinationName
    self.inverseName = inverseName
  }

  /// Raw values are those of `NSDeleteRule`.
  package enum DeleteRule: UInt, Hashable, Sendable {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3

    /// The words that Xcode's model files use.
    package var word: String {
      switch self {
      case .noAction: "No Action"
      case .nullify: "Nullify"
      case .cascade: "Cascade"
      case .deny: "Deny"
      }
    }
  }
}

/// A property whose value is the result of a request, evaluated for the object that has it.
package struct FetchedPropertySchema: Hashable, Sendable {
  package var name: String
  package var isOptional = true
  package var request: FetchRequestSchema
  package var userInfo: [String: String] = [:]
  package var versionHashModifier: String?
  package var renamingIdentifier: String?

  package init(name: String, request: FetchRequestSchema) {
    self.name = name
    self.request = request
  }
}
