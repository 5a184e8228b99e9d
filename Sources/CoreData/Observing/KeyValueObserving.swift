public import Foundation

/// What an observer wants to be told; raw values are Apple's.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// Tell at once, before anything has changed.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Tell before each change too.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// How a property has changed; raw values are Apple's.
public enum NSKeyValueChange: UInt, Sendable {
  case setting = 1
  case insertion = 2
  case removal = 3
  case replacement = 4
}

/// How a to-many relationship is changed as a set; raw values are Apple's.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  case union = 1
  case minus = 2
  case intersect = 3
  case set = 4
}

/// The keys of a change dictionary.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// An `NSKeyValueChange`, as its number.
  public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  public static let newKey = NSKeyValueChangeKey(rawValue: "new")
  public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// An object that can be told of changes by name.
///
/// Apple's `NSObject` has this method; without Objective-C a class says that it has it.
public protocol KeyValueObserver: AnyObject {
  /// Called after a change; with the option `prior`, also before.
  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  )
}

/// One change, for the closure of an observation.
public struct NSKeyValueObservedChange<Value> {
  public let kind: NSKeyValueChange
  /// The new value, with the option `new`.
  public let newValue: Value?
  /// The old value, with the option `old`.
  public let oldValue: Value?
  public let indexes: IndexSet?
  /// Whether the change is still to come.
  public let isPrior: Bool
}

/// An observation that lasts as long as this object, or until it is invalidated.
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

  public func invalidate() {
    end(observation)
  }
}
