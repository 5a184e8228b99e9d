import CoreDataPredicates
import Foundation

/// The value that a predicate demands of one property: no object without it meets the predicate.
///
/// ```
/// folder == f AND stars > 3      f, of the folder
/// folder == f OR stars > 3       none
/// ```
///
/// It is told by a fingerprint, which equal values share whatever their types are. Values that share
/// one need not be equal: only the predicate itself says which objects meet it.
struct DemandedValue {
  /// The entity whose objects are judged.
  unowned(unsafe) let layout: EntityLayout
  let slot: Int
  private var value: Value
  /// The constant in the predicate.
  let constant: Constant

  fileprivate enum Value {
    /// The fingerprint of a value that stays what it is.
    case settled(Int)
    /// An object, whose identity a save may change.
    case object(NSManagedObject)
  }

  /// Finds the demand that leaves out most objects; `nil` if the predicate does not demand a value.
  init?(in predicate: CoreDataPredicates.PredicateTree, of layout: EntityLayout) {
    guard let demand = Self.sharpest(Self.all(in: predicate, of: layout)) else { return nil }
    self = demand
  }

  /// Of several demands the one that leaves out most objects: half of all may have the same truth value.
  static func sharpest(_ demands: [DemandedValue]) -> DemandedValue? {
    demands.first { $0.layout.kinds[$0.slot] != .boolean } ?? demands.first
  }

  private init?(_ comparison: Comparison, of layout: EntityLayout) {
    guard comparison.op == .equalTo, comparison.modifier == .direct, comparison.options.isEmpty,
      let (names, constant) = comparison.pathAndConstant, names.count == 1,
      let slot = layout.slot(named: names[0]), layout.kinds[slot].hasFingerprints,
      let value = Value(constant)
    else { return nil }
    self.layout = layout
    self.slot = slot
    self.value = value
    self.constant = constant
  }

  /// The demands of a predicate, each of which an object must meet.
  static func all(
    in predicate: CoreDataPredicates.PredicateTree,
    of layout: EntityLayout
  ) -> [DemandedValue] {
    switch predicate {
    case .and(let terms): terms.flatMap { all(in: $0, of: layout) }
    case .comparison(let comparison): DemandedValue(comparison, of: layout).map { [$0] } ?? []
    case .constant, .or, .not, .block: []
    }
  }
}

extension Comparison {
  /// The two sides if one is a path of the evaluated object and the other is a constant.
  fileprivate var pathAndConstant: (names: [String], constant: Constant)? {
    if let names = left.names, case .constant(let constant) = right { return (names, constant) }
    if let names = right.names, case .constant(let constant) = left { return (names, constant) }
    return nil
  }
}

extension SlotKind {
  /// Whether its values are told by fingerprints: single values that never change by themselves.
  fileprivate var hasFingerprints: Bool {
    switch self {
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .toOne: true
    case .data, .externalData, .transformable, .composite, .object, .toMany, .orderedToMany,
      .fetched:
      false
    }
  }
}

// MARK: - Fingerprints

extension DemandedValue {
  /// The fingerprint of what is demanded; nil while any value may be equal to it.
  var fingerprint: Int? {
    switch value {
    case .settled(let fingerprint): fingerprint
    case .object(let object): Self.fingerprint(ofObject: object)
    }
  }

  /// Stops asking an object whose identity is permanent; returns whether no object is left to ask.
  mutating func settle() -> Bool {
    guard let fingerprint else { return false }
    value = .settled(fingerprint)
    return true
  }

  /// The number that a value shares with all that a comparison calls equal to it; nil for an object that
  /// is not saved, as its identity will be another.
  static func fingerprint(of value: Any?) -> Int? {
    switch value {
    case let object as NSManagedObject:
      fingerprint(ofObject: object)
    case let id as NSManagedObjectID:
      number(of: id.key)
    case _:
      Constant(value).hashValue
    }
  }

  private static func fingerprint(ofObject object: NSManagedObject) -> Int? {
    object.key.isTemporary || object.willBeInserted ? nil : number(of: object.key)
  }

  /// Without the store, of which one object may have several.
  private static func number(of key: ObjectKey) -> Int {
    Int(truncatingIfNeeded: key.number)
  }
}

extension DemandedValue.Value {
  fileprivate init?(_ constant: Constant) {
    switch constant.kind {
    case .nothing, .integer, .real, .decimal, .text, .uuid, .url:
      self = .settled(constant.hashValue)
    case .date(let date):
      // NaN dates are equal, but do not share a hash.
      if date.timeIntervalSinceReferenceDate.isNaN { return nil }
      self = .settled(constant.hashValue)
    case .object(let object as NSManagedObject):
      self = .object(object)
    case .object(let id as NSManagedObjectID):
      guard let fingerprint = DemandedValue.fingerprint(of: id) else { return nil }
      self = .settled(fingerprint)
    case .data, .collection, .object:
      return nil
    }
  }
}
