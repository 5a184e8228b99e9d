/// Where each property of an entity lives in a snapshot.
///
/// An object's values are in numbered slots. The code generator writes the numbers into accessors
/// and the runtime lays snapshots out by them, so both ask here:
///
///     entity Item { created }                 Item: created
///     entity Note: Item { title, folder }     Note: created, folder, title
///
/// The superentity's slots come first, so that an inherited property has one slot in a whole
/// inheritance tree; then the entity's own attributes, relationships and fetched properties
/// together, in code-point order.
extension ModelSchema {
  /// The names of an entity's slots, in order; empty if the model does not have that entity.
  package func slotNames(of entityName: String) -> [String] {
    entityChain(of: entityName).reversed().flatMap { $0.propertyNames.sortedByCodePoints() }
  }
}

/// A property's name as a number, with which generated code proves at run time that a slot is
/// still the property it was compiled for.
package enum PropertyHash {
  /// The 64-bit FNV-1a hash of the name's UTF-8 bytes.
  package static func of(_ name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
  }
}
