/// A name of the model on its way into Swift code.
package struct SwiftName {
  let text: String

  package init(_ text: String) {
    self.text = text
  }

  /// The name as code spells it: `title`, but `` `default` ``.
  package var spelling: String {
    Self.keywords.contains(text) ? "`\(text)`" : text
  }

  /// The name as the end of another one: `tags` in `addToTags`.
  var capitalized: String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  package var isIdentifier: Bool {
    guard let first = text.first, first.isLetter || first == "_", text != "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// Whether every managed object has a member of this name already.
  package var isTakenByManagedObject: Bool {
    Self.managedObjectMembers.contains(text)
  }
}

// MARK: - Words

extension SwiftName {
  private static let keywords: Set = [
    "Any", "Protocol", "Self", "Type",
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try", "typealias", "var", "where", "while",
  ]

  private static let managedObjectMembers: Set = [
    "classForCoder", "copy", "debugDescription", "description", "entity", "faultingState",
    "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "init", "isDeleted",
    "isFault", "isInserted", "isUpdated", "managedObjectContext", "mutableCopy", "objectID",
    "objectWillChange", "self", "superclass",
  ]
}
