package import CoreDataModel

/// The form in which a dictionary has a value.
package enum RecordForm: Sendable {
  /// As objects of the entity have it under key-value coding.
  case attribute(EntityLayout, slot: Int)
  /// Of a type that was declared; undefined for what comes out of the expression.
  case computed(AttributeType)
  /// The identity of an object of this entity.
  case identity(EntityLayout)
}
