public import Foundation

/// The values that the notifications of an observer contain, and when they are sent, with the raw
/// values of Apple's framework.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The notification contains the new value.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The notification contains the old value.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A notification is sent at once, before the first change.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// A notification is also sent before each change.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kinds of changes to a property, with the raw values of Apple's framework.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property was set.
  case setting = 1
  /// Objects were inserted into a to-many relationship.
  case insertion = 2
  /// Objects were removed from a to-many relationship.
  case removal = 3
  /// Objects of a to-many relationship were replaced.
  case replacement = 4
}

/// The kinds of changes to an unordered to-many relationship, with the raw values of Apple's
/// framework.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are removed.
  case minus = 2
  /// All other objects are removed.
  case intersect = 3
  /// The objects replace all others.
  case set = 4
}

/// The keys of the dictionary that describes a change to an observer.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The key of the kind of the change, as the raw value of an `NSKeyValueChange`.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  /// The key of the new value.
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  /// The key of the old value.
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  /// The key of the indexes that have changed in an ordered relationship.
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  /// The key whose value is `true` in a notification that is sent before the change.
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// A protocol for objects that observe properties by name.
///
/// On Apple's systems every `NSObject` has this method. Without Objective-C, a class must declare
/// that it has it.
public protocol KeyValueObserver: AnyObject {
  /// Called after an observed value has changed and, with the option `prior`, also before.
  ///
  /// - Parameters:
  ///   - keyPath: The observed key path.
  ///   - object: The object that is observed.
  ///   - change: The kind of the change and, depending on the options, the old and new values.
  ///   - context: The pointer that was given at registration.
  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  )
}

/// A change of an observed property, which the closure of `observe(_:options:changeHandler:)` receives.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of the change: a new value, or members that were inserted, removed or replaced.
  public let kind: NSKeyValueChange
  /// The new value, if the option `new` was given.
  public let newValue: Value?
  /// The old value, if the option `old` was given.
  public let oldValue: Value?
  /// The indexes that have changed in an ordered relationship.
  public let indexes: IndexSet?
  /// A Boolean value that indicates whether the change has not been made yet.
  public let isPrior: Bool
}

/// An observation of a property, which ends when this object is deallocated or invalidated.
public final class NSKeyValueObservation: NSObject {
  private let observation: Observation
  private let end: (Observation) -> Void

  /// `end` has the observed object forget the observation; it may be called several times.
  init(_ observation: Observation, end: @escaping (Observation) -> Void) {
    self.observation = observation
    self.end = end
    super.init()
  }

  convenience init(_ observation: Observation, of object: NSManagedObject) {
    self.init(observation) { [weak object] in object?.removeObservation($0) }
  }

  deinit {
    invalidate()
  }

  /// Ends the observation; the closure is not called for later changes.
  public func invalidate() {
    end(observation)
  }
}
