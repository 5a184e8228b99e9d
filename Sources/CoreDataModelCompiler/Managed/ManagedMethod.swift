/// The operation of a managed method on a to-many relationship, derived from its name and its
/// labels.
struct ManagedMethod: Hashable {
  /// The relationship with a capital letter, as the name has it.
  let relationship: String
  let action: Action

  enum Action: Hashable {
    case add, addAll, remove, removeAll
    case insert, insertAll, removeAt, removeAllAt, replace, replaceAll
  }

  /// Reads `addToTags(_:)` and its like, and the older `addTagsObject(_:)`.
  init?(named name: String, labels: [String], isCollection: Bool) {
    let action: Action
    let start: String
    switch (Self.verb(of: name), labels) {
    case ("insertInto", ["", "at"]):
      (start, action) = ("insertInto", isCollection ? .insertAll : .insert)
    case ("replace", ["at", "with"]):
      (start, action) = ("replace", isCollection ? .replaceAll : .replace)
    case ("removeFrom", ["at"]):
      (start, action) = ("removeFrom", isCollection ? .removeAllAt : .removeAt)
    case ("addTo", [""]): (start, action) = ("addTo", isCollection ? .addAll : .add)
    case ("removeFrom", [""]): (start, action) = ("removeFrom", isCollection ? .removeAll : .remove)
    case ("add", [""]): (start, action) = ("add", isCollection ? .addAll : .add)
    case ("remove", [""]): (start, action) = ("remove", isCollection ? .removeAll : .remove)
    default: return nil
    }
    var rest = String(name.dropFirst(start.count))
    if ["add", "remove"].contains(start), !isCollection {
      guard rest.hasSuffix("Object") else { return nil }
      rest = String(rest.dropLast("Object".count))
    }
    guard let first = rest.first, first.isUppercase || first == "_" || !first.isLetter else {
      return nil
    }
    self.action = action
    relationship = rest
  }

  private static func verb(of name: String) -> String? {
    ["addTo", "removeFrom", "insertInto", "replace", "add", "remove"].first { verb in
      name.hasPrefix(verb) && name.dropFirst(verb.count).first?.isLowercase == false
    }
  }

  /// The names that the relationship may have: as it is spelled, and with a small first letter.
  var candidates: [String] {
    [relationship.prefix(1).lowercased() + relationship.dropFirst(), relationship]
  }

  /// The call, for parameters `first` and `second`.
  func call(isOrdered: Bool, slot: String) -> String {
    let place = "self[\(isOrdered ? "ordered" : "toMany"): \(slot)]"
    return switch action {
    case .add, .addAll: "\(place).add(first)"
    case .remove, .removeAll: "\(place).remove(first)"
    case .insert, .insertAll: "\(place).insert(first, at: second)"
    case .removeAt, .removeAllAt: "\(place).remove(at: first)"
    case .replace, .replaceAll: "\(place).replace(at: first, with: second)"
    }
  }
}
