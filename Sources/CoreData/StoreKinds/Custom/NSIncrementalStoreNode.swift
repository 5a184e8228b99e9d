import CoreDataPredicates
public import Foundation
import Synchronization

/// The values and the version of one object of an ``NSIncrementalStore``.
///
/// Attributes have the types that key-value coding uses; a to-one relationship is an
/// `NSManagedObjectID` or `NSNull`, and a to-many relationship is a collection of identities.
/// Attributes that are left out are `nil`. Relationships that are left out are requested when they
/// are needed.
///
/// Safety: values and version are behind a mutex; values are immutable by contract.
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
  /// The identity of the object.
  public let objectID: NSManagedObjectID
  private let state: Mutex<Contents>

  private struct Contents: Sendable {
    let values: Immutable<[String: Any]>
    let version: UInt64
  }

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - objectID: The identity of the object.
  ///   - values: The values by property name.
  ///   - version: The version of the object, which grows with each change.
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    state = Mutex(Contents(values: Immutable(values), version: version))
    super.init()
  }

  /// Replaces the values and the version of the node.
  ///
  /// - Parameters:
  ///   - values: The new values by property name.
  ///   - version: The new version of the object.
  open func update(withValues values: [String: Any], version: UInt64) {
    let new = Contents(values: Immutable(values), version: version)
    state.withLock { $0 = new }
  }

  /// The version of the object, which grows with each change.
  open var version: UInt64 { state.withLock { $0.version } }

  /// Returns the value of a property.
  ///
  /// - Parameter prop: A property of the object's entity.
  /// - Returns: The value, or `nil` if the node does not have one.
  open func value(for prop: NSPropertyDescription) -> Any? {
    state.withLock { $0 }.values.value[prop.name]
  }
}
