/// A method that changes a to-many relationship by some of its objects.
///
/// ```swift
/// public func addToTags(_ value: Tag) {
///   self[toMany: ManagedSlot(5, 0x8c1f6f0e2d7a9b34, "tags")].add(value)
/// }
/// ```
struct CollectionAccessor {
  /// The method up to its brace, without `public func`.
  let signature: String
  let call: String

  var text: String {
    """
      public func \(signature) {
        \(call)
      }
    """
  }
}

// MARK: - The accessors of a property

extension PropertyDeclaration {
  /// The methods that Xcode writes for a property: none unless it leads to many objects.
  var accessors: [CollectionAccessor] {
    guard let member = destination?.spelling else { return [] }
    return switch type.access {
    case .toMany where type.isTyped: one(member) + literals(of: member)
    case .toMany: adding(member, or: "NSSet")
    case .ordered: placing(member) + adding(member, or: "NSOrderedSet")
    case .slot, .timeInterval, .decimal, .object, .toOne, .fetched: []
    }
  }

  private func one(_ member: String) -> [CollectionAccessor] {
    [
      accessor("addTo", "(_ value: \(member))", "add(value)"),
      accessor("removeFrom", "(_ value: \(member))", "remove(value)"),
    ]
  }

  private func adding(_ member: String, or collection: String) -> [CollectionAccessor] {
    one(member) + [
      accessor("addTo", "(_ values: \(collection))", "add(values)"),
      accessor("removeFrom", "(_ values: \(collection))", "remove(values)"),
    ] + (collection == "NSSet" ? literals(of: member) : [])
  }

  /// Linux's `NSSet` cannot be written as a literal, as Apple's can; Swift's `Set` can.
  ///
  /// It is written with its module: somebody's model may have an entity `Set`.
  private func literals(of member: String) -> [CollectionAccessor] {
    [
      accessor("addTo", "(_ values: Swift.Set<\(member)>)", "add(values as NSSet)"),
      accessor("removeFrom", "(_ values: Swift.Set<\(member)>)", "remove(values as NSSet)"),
    ]
  }

  private func placing(_ member: String) -> [CollectionAccessor] {
    [
      accessor("insertInto", "(_ value: \(member), at idx: Int)", "insert(value, at: idx)"),
      accessor("removeFrom", "(at idx: Int)", "remove(at: idx)"),
      accessor(
        "insertInto",
        "(_ values: [\(member)], at indexes: NSIndexSet)",
        "insert(values, at: indexes)"
      ),
      accessor("removeFrom", "(at indexes: NSIndexSet)", "remove(at: indexes)"),
      accessor(
        "replace",
        "(at idx: Int, with value: \(member))",
        "replace(at: idx, with: value)"
      ),
      accessor(
        "replace",
        "(at indexes: NSIndexSet, with values: [\(member)])",
        "replace(at: indexes, with: values)"
      ),
    ]
  }

  private func accessor(
    _ verb: String,
    _ parameters: String,
    _ call: String
  ) -> CollectionAccessor {
    CollectionAccessor(
      signature: verb + name.capitalized + parameters,
      call: "\(place).\(call)"
    )
  }
}
