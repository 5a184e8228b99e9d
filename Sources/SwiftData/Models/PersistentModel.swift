// swift-format-ignore-file: NoLeadingUnderscores
// Code that the macros make uses these names; others should not.

import CoreData
import Foundation
public import Observation

/// A class whose instances a container stores.
///
/// The macro `@Model` makes a class conform to it:
///
/// ```swift
/// @Model final class Note {
///   var title: String
///   var folder: Folder?
///   init(title: String) { self.title = title }
/// }
/// ```
///
/// A model belongs to the context in which it is, and to its thread or actor. Two models are equal only if they are the
/// same instance, because a context has one instance of each stored model.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// Creates a model that shows the values of backing data.
  init(backingData: any BackingData<Self>)
  /// The place where the model's values are.
  var persistentBackingData: any BackingData<Self> { get set }
  /// The properties that the class itself declares.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }
  /// The indexes and constraints that the class declares.
  static var _schemaConstraints: [_SchemaConstraint] { get }
}

extension PersistentModel {
  public static var _schemaConstraints: [_SchemaConstraint] { [] }

  public static func == (one: Self, other: Self) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The identity of the model, unless the class declares an `id` of its own.
  public var id: PersistentIdentifier { persistentModelID }

  /// The identity of the model.
  ///
  /// It is temporary until the first save, and another one afterwards. You can read it after the model was deleted.
  public var persistentModelID: PersistentIdentifier {
    PersistentIdentifier(modelRow.objectID)
  }

  /// The context of the model, or `nil` if it was not inserted, or was deleted and its context saved.
  public var modelContext: ModelContext? { modelRow.objectContext?.owner }

  /// A Boolean value that indicates whether the model was inserted, changed or deleted since the last save.
  public var hasChanges: Bool { modelRow.hasChanges }

  /// A Boolean value that indicates whether the next save deletes the model.
  ///
  /// After that save it is `false`.
  public var isDeleted: Bool { modelRow.isDeleted && modelRow.isInContext }
}

// MARK: - Values by key path

extension PersistentModel {
  /// Returns the value of a property.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The value.
  public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    self[keyPath: keyPath]
  }

  /// Sets a property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setValue<Value>(
    forKey keyPath: ReferenceWritableKeyPath<Self, Value>,
    to newValue: Value
  ) {
    self[keyPath: keyPath] = newValue
  }
}

extension PersistentModel {
  /// Returns the value of a property that a transformer stores.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The value.
  public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    self[keyPath: keyPath]
  }

  /// Sets a property that a transformer stores.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - newValue: The value.
  public func setTransformableValue<Value>(
    forKey keyPath: ReferenceWritableKeyPath<Self, Value>,
    to newValue: Value
  ) {
    self[keyPath: keyPath] = newValue
  }
}

// MARK: - Observation

extension PersistentModel {
  /// The registrar of observers of properties that are not stored.
  ///
  /// Observers of stored properties are informed without it.
  public var _$observationRegistrar: ObservationRegistrar { modelRow.ownRegistrar }

  /// Records that a property was read.
  ///
  /// - Parameter keyPath: The property.
  public func access<Member>(keyPath: KeyPath<Self, Member>) {
    modelRow.ownRegistrar.access(self, keyPath: keyPath)
  }

  /// Informs observers of a property before and after it changes.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - mutation: The change.
  /// - Returns: The result of the change.
  public func withMutation<Member, Result>(
    keyPath: KeyPath<Self, Member>,
    _ mutation: () throws -> Result
  ) rethrows -> Result {
    try modelRow.ownRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
  }
}

// MARK: - Rows

extension PersistentModel {
  /// The backing of a model that the macro has made.
  var modelBox: ModelBox {
    guard let box = persistentBackingData.modelBox else {
      stop("\(type(of: self)) has backing data of its own; only that of @Model can be in a context")
    }
    return box
  }

  var modelRow: ModelRow { modelBox.row(of: self) }
}

/// The place where the values of a model are.
public protocol BackingData<Model> {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The identity of the model.
  var persistentModelID: PersistentIdentifier? { get }
  /// The backing of a class with `@Model`.
  var _modelBacking: AnyObject? { get }
}

extension BackingData {
  var modelBox: ModelBox? {
    _modelBacking as? ModelBox
  }
}

/// The backing data of a class with `@Model`.
struct RowBackingData<Model: PersistentModel>: BackingData {
  /// `nil` while a model is made of a row, which the box of its backing has.
  let box: ModelBox?

  var persistentModelID: PersistentIdentifier? {
    box?.row.map { PersistentIdentifier($0.objectID) }
  }

  var _modelBacking: AnyObject? { box }
}

/// The empty storage of a property whose value is in the model's backing.
public struct _SwiftDataNoType: Sendable {
  /// Creates it.
  @inlinable public init() {}
}

/// Returns the type of a property.
@inlinable
public func _type<Model: AnyObject, Value>(
  of model: Model,
  _ keyPath: KeyPath<Model, Value>
) -> Value.Type { Value.self }

/// An index or a constraint of a class.
public struct _SchemaConstraint {
  let type: any PersistentModel.Type
  let properties: [AnyKeyPath]
  /// The kind of the index; `nil` for a constraint.
  let index: IndexKind?

  /// Returns constraints: groups of properties whose values are unique together.
  public static func unique<Model: PersistentModel>(
    _ type: Model.Type,
    _ constraints: [PartialKeyPath<Model>]...
  ) -> [Self] {
    constraints.map { Self(type: type, properties: $0, index: nil) }
  }

  /// Returns indexes that are ordered by values.
  public static func index<Model: PersistentModel>(
    _ type: Model.Type,
    _ indexes: [PartialKeyPath<Model>]...
  ) -> [Self] {
    indexes.map { Self(type: type, properties: $0, index: .binary) }
  }

  /// Returns indexes.
  public static func index<Model: PersistentModel>(
    _ type: Model.Type,
    _ indexes: Schema.Index<Model>.Types<Model>...
  ) -> [Self] {
    indexes.map {
      switch $0 {
      case .binary(let properties): Self(type: type, properties: properties, index: .binary)
      case .rtree(let properties): Self(type: type, properties: properties, index: .rTree)
      }
    }
  }
}
