import CoreDataModel

/// An R-tree beside a table, for requests such as "within this rectangle".
///
/// Triggers keep it in step with the table: each row has a point, from its columns.
package struct SpatialIndex: Hashable, Sendable {
  package let name: String
  package let table: String
  /// One column for each dimension.
  package let columns: [String]
}

extension SpatialIndex {
  /// The key under which an attribute's `userInfo` names those that make up a place.
  static let componentsKey = "_NSLocationAttributeDerivedComponents"

  static func all(of entity: EntitySchema, as map: EntityMap) -> [SpatialIndex] {
    var seen: Set<String> = []
    return entity.indexes.filter { $0.isSpatial(in: entity) && seen.insert($0.name).inserted }
      .compactMap { index in
        let names = index.elements.flatMap { $0.components(in: entity) }
        let columns = names.compactMap { map.column(of: $0) }
        // SQLite's R-trees have one to five dimensions.
        guard columns.count == names.count, (1...5).contains(columns.count) else { return nil }
        return SpatialIndex(
          name: "Z_RT_\(entity.name)_\(index.name)",
          table: map.tableName,
          columns: columns
        )
      }
  }
}

extension FetchIndexSchema {
  func isSpatial(in entity: EntitySchema) -> Bool {
    elements.contains { $0.collation == .rTree || $0.components(in: entity).count > 1 }
  }
}

extension FetchIndexSchema.Element {
  /// The names of the attributes that it represents: itself, or the parts of a place.
  fileprivate func components(in entity: EntitySchema) -> [String] {
    guard case .property(let name) = subject else { return [] }
    let attribute = entity.attributes.first { $0.name == name }
    let components = attribute?.userInfo[SpatialIndex.componentsKey] ?? name
    return components.split { $0 == "," || $0 == " " }.map(String.init)
  }
}

extension AttributeSchema {
  /// Whether it is the point of an R-tree, which other attributes make up.
  var isPlace: Bool { userInfo[SpatialIndex.componentsKey] != nil }
}
