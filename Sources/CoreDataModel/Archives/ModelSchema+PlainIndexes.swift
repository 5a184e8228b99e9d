/// The indexes that Xcode's compiler adds to those of the model editor.
///
///     byUUID     (uuid ascending)                     brings   uuid (uuid ascending)
///     byDate     (date descending)                    comes alone
///     byURL      (url ascending, isHidden ascending)  comes alone
///
/// The compiler says each index a second time as older frameworks know it: a single ascending
/// element as `NSIsIndexed` of its attribute, several elements as `NSCompoundIndexes`. Reading the
/// former makes an index of the attribute's own name, so that model caches and stores have both.
/// All stores at hand with such indexes show it (Bookmarks 2 and 3, LoopKit). Published schemas of
/// stores that only systems of 2025 made have `by…` alone, so the newest compilers seem to have
/// stopped. No store has a partial index or one of an inherited attribute; these come alone here.
///
/// Only the compiler does it: a model that is built in code has the indexes it is given.
extension ModelSchema {
  var withPlainIndexes: ModelSchema {
    var schema = self
    for position in entities.indices {
      schema.entities[position].indexes =
        entities[position].plainIndexes
        + entities[position].indexes
    }
    return schema
  }
}

extension EntitySchema {
  /// The added indexes, which come in front of the others as in model caches.
  ///
  /// Apple's order among them is that of a hash table; ours is that of the indexes that bring them.
  fileprivate var plainIndexes: [FetchIndexSchema] {
    var names = Set(indexes.map(\.name))
    return indexes.compactMap { index in
      guard let name = index.soleAscendingProperty, hasStoredAttribute(name),
        names.insert(name).inserted
      else { return nil }
      return FetchIndexSchema(name: name, elements: index.elements)
    }
  }

  private func hasStoredAttribute(_ name: String) -> Bool {
    attributes.contains { $0.name == name && !$0.isTransient }
  }
}

extension FetchIndexSchema {
  /// The property that the index orders by, when that is all it does.
  fileprivate var soleAscendingProperty: String? {
    guard partialPredicateFormat == nil, elements.count == 1, elements[0].isAscending,
      elements[0].collation == .binary, case .property(let name) = elements[0].subject
    else { return nil }
    return name
  }
}
