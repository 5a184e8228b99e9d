package import CoreDataModel
import Synchronization

/// A frozen model as the runtime uses it: each entity with its slots, found by number or by name.
///
/// Safety: built once; the descriptions it refers to are frozen, and what is worked out later is behind the mutex.
package final class ModelLayout: @unchecked Sendable {
  package let schema: ModelSchema
  /// The model the layout was made from, which the floor above knows.
  let owner: AnyObject
  /// The attachments of the entities.
  var attachments: [AnyObject] = []
  /// The entity with number 1 comes first.
  package private(set) var entities: [EntityLayout] = []
  /// Whether any entity wants values to be unique.
  package private(set) var hasConstraints = false
  private var numbers: [String: Int32] = [:]
  /// The entities of classes that no other entity has, by the name of the class with its module.
  var numbersOfClasses: [String: Int32] = [:]
  /// The entities whose class no other entity has.
  var entitiesOfClasses: [ObjectIdentifier: EntityLayout] = [:]
  /// The facts about the tables of stores, which the floor above keeps here.
  let facts = Mutex<(any Sendable)?>(nil)

  init(_ schema: ModelSchema, owner: AnyObject) {
    self.schema = schema
    self.owner = owner
    let forest = EntityForest(schema)
    for node in forest.nodes {
      let layout = EntityLayout(node, in: self)
      entities.append(layout)
      numbers[layout.name] = layout.number
    }
    for entity in entities { entity.connect(in: self) }
    for entity in entities { entity.connectDerivations() }
    hasConstraints = entities.contains { !$0.constraints.isEmpty }
  }

  package subscript(number number: Int32) -> EntityLayout? {
    entities.indices.contains(Int(number) - 1) ? entities[Int(number) - 1] : nil
  }

  /// The entity whose number is in a file; `nil` for a number that no entity can have.
  package subscript(stored number: Int64) -> EntityLayout? {
    Int32(exactly: number).flatMap { self[number: $0] }
  }

  /// The entity with a name, or with a class that `NSStringFromClass` gives this name.
  ///
  /// Programs use the name of the class as the entity's, as in Objective-C, where `@objc(Note)` is written before
  /// `class Note`. The name of an entity never contains a point.
  package subscript(name: String) -> EntityLayout? {
    (numbers[name] ?? numbersOfClasses[name]).map { entities[Int($0) - 1] }
  }
}
