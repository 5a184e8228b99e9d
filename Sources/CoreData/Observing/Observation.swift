import Foundation

/// Somebody's wish to hear of changes of one key path of one object.
///
/// A path of several keys is observed hop by hop: the first key here, the rest on the object it leads to. When it
/// leads somewhere else, the rest is observed there.
final class Observation {
  let keys: [String]
  let options: NSKeyValueObservingOptions
  let deliver: (ObservedChange) -> Void
  /// The observer and the pointer it gave, by which it can be found again.
  let observer: ObjectIdentifier?
  let context: UnsafeMutableRawPointer?
  /// The value at the end of a longer path, between a change's beginning and its end.
  var valueBefore: Any?
  /// Observations of the values that the first key's value is made of.
  var affecting: [Observation] = []
  private var tail: (object: NSManagedObject, observation: Observation)?

  init(
    _ keyPath: String,
    _ options: NSKeyValueObservingOptions,
    observer: ObjectIdentifier? = nil,
    context: UnsafeMutableRawPointer? = nil,
    _ deliver: @escaping (ObservedChange) -> Void
  ) {
    keys = keyPath.split(separator: ".").map(String.init)
    self.options = options
    self.observer = observer
    self.context = context
    self.deliver = deliver
  }

  /// Observes `object` for an observer, which is not retained.
  convenience init(
    _ keyPath: String,
    _ options: NSKeyValueObservingOptions,
    of object: AnyObject,
    by observer: any KeyValueObserver,
    _ context: UnsafeMutableRawPointer?
  ) {
    self.init(keyPath, options, observer: ObjectIdentifier(observer), context: context) {
      [weak observer, unowned object] change in
      observer?.observeValue(
        forKeyPath: keyPath,
        of: object,
        change: change.dictionary(options),
        context: context
      )
    }
  }

  func isMade(by observer: any KeyValueObserver, _ keyPath: String) -> Bool {
    self.observer == ObjectIdentifier(observer) && self.keyPath == keyPath
  }

  var keyPath: String { keys.joined(separator: ".") }

  /// Observes the rest of the path on the object that the first key leads to.
  func follow(from object: NSManagedObject) {
    unfollow()
    guard keys.count > 1, let next = object.value(forKey: keys[0]) as? NSManagedObject else {
      return
    }
    let rest = keys.dropFirst().joined(separator: ".")
    let observation = Observation(rest, options.subtracting(.initial), deliver)
    next.addObservation(observation)
    tail = (next, observation)
  }

  func unfollow() {
    if let tail { tail.object.removeObservation(tail.observation) }
    tail = nil
  }
}

/// A change as it is delivered.
struct ObservedChange {
  var kind = NSKeyValueChange.setting
  var old: Any?
  var new: Any?
  /// The places of objects that are added to or removed from an ordered relationship.
  var indexes: IndexSet?
  var moment = Moment.after

  enum Moment {
    /// When the observation begins.
    case first
    /// Before a change.
    case prior
    case after
  }

  /// Whether the change is told with the old value, if that was asked for.
  var hasOld: Bool { kind != .insertion && moment != .first }

  var hasNew: Bool { kind != .removal && moment != .prior }

  /// The change as a dictionary with the requested values; nil values as `NSNull`.
  func dictionary(_ options: NSKeyValueObservingOptions) -> [NSKeyValueChangeKey: Any] {
    var dictionary: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
    if options.contains(.old), hasOld { dictionary[.oldKey] = old ?? NSNull() }
    if options.contains(.new), hasNew { dictionary[.newKey] = new ?? NSNull() }
    dictionary[.indexesKey] = indexes
    if moment == .prior { dictionary[.notificationIsPriorKey] = true }
    return dictionary
  }
}

extension NSKeyValueObservedChange {
  /// Creates a change with the values for which the observer has asked.
  init(_ change: ObservedChange, _ options: NSKeyValueObservingOptions) {
    kind = change.kind
    newValue = options.contains(.new) && change.hasNew ? Self.typed(change.new) : nil
    oldValue = options.contains(.old) && change.hasOld ? Self.typed(change.old) : nil
    indexes = change.indexes
    isPrior = change.moment == .prior
  }

  /// Returns a boxed value as the property's type; `nil` is a value if the property is optional.
  private static func typed(_ value: Any?) -> Value? {
    if let value { return value as? Value }
    return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap {
      $0.init(nilLiteral: ()) as? Value
    }
  }
}

/// A change of a property: a new value, or objects that a relationship gains or loses.
struct KeyValueChange {
  var gained: [NSManagedObject]?
  var lost: [NSManagedObject]?

  static var setting: KeyValueChange { KeyValueChange() }

  var kind: NSKeyValueChange {
    switch (gained != nil, lost != nil) {
    case (true, true): .replacement
    case (true, false): .insertion
    case (false, true): .removal
    case (false, false): .setting
    }
  }
}

/// The observations of one object, by the first key of their paths.
struct KeyValueObservations {
  private var byKey: [String: [Observation]] = [:]

  var isEmpty: Bool { byKey.isEmpty }

  /// The first keys of the observed paths.
  var keys: [String] { Array(byKey.keys) }

  func of(_ key: String) -> [Observation] { byKey[key] ?? [] }

  var all: [Observation] { byKey.values.flatMap { $0 } }

  mutating func add(_ observation: Observation) {
    byKey[observation.keys.first ?? "", default: []].append(observation)
  }

  mutating func remove(_ observation: Observation) {
    let key = observation.keys.first ?? ""
    byKey[key]?.removeAll { $0 === observation }
    if byKey[key]?.isEmpty == true { byKey[key] = nil }
  }
}
