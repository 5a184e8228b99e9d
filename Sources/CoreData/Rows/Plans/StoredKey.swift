/// The key of an object, and the entity that it is of.
package struct StoredKey: Hashable, Sendable {
  package let entity: String
  package let primaryKey: Int64

  package init(entity: String, primaryKey: Int64) {
    self.entity = entity
    self.primaryKey = primaryKey
  }
}
