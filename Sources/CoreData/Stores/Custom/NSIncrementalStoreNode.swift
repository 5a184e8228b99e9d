public import Foundation
import Synchronization

/// The values of one object of an ``NSIncrementalStore``, with the version they have.
///
/// Attributes stand under their names as key-value coding has them; a to-one relationship is an
/// `NSManagedObjectID` or `NSNull`, a to-many one a collection of identities. What is left out of
/// attributes is nil; what is left out of relationships is asked for when it is needed.
///
/// Safety: values and version are behind a mutex; values are immutable by contract.
open class NSIncrementalStoreNode: NSObject, @unchecked Sendable {
  public let objectID: NSManagedObjectID
  private let state: Mutex<State>

  /// Safety: values are immutable by contract.
  private struct State: @unchecked Sendable {
    var values: [String: Any]
    var version: UInt64
  }

  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    state = Mutex(State(values: values, version: version))
    super.init()
  }

  /// Takes newer values.
  open func update(withValues values: [String: Any], version: UInt64) {
    let new = State(values: values, version: version)
    state.withLock { $0 = new }
  }

  /// How often the object was saved, or whatever else grows with each change.
  open var version: UInt64 { state.withLock { $0.version } }

  /// The value of a property; nil where the node has none.
  open func value(for prop: NSPropertyDescription) -> Any? {
    state.withLock { $0 }.values[prop.name]
  }
}
