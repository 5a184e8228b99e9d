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
  /// What the predicate says of it.
  private let constant: Constant

  fileprivate enum Value {
    /// The fingerprint of a value that stays what it is.
    case settled(Int)
    /// An object, whose identity a save may change.
    case object(NSManagedObject)
  }

  /// Finds the demand that leaves out most objects; nil where the predicate demands nothing.
  init?(in predicate: CoreDataPredicates.PredicateTree, of layout: EntityLayout) {
    let demands = Self.all(in: predicate, of: layout)
    // Half of all objects may have the same truth value.
    guard let demand = demands.first(where: { !$0.isTruthValue }) ?? demands.first else {
      return nil
    }
    self = demand
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

  private var isTruthValue: Bool { layout.kinds[slot] == .boolean }

  /// The demands of a predicate, each of which an object must meet.
  private static func all(
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
  /// The two sides where one is a path of the evaluated object and the other is a constant.
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

// MARK: - As objects keep it

extension DemandedValue {
  /// A demand that can be held against what objects have, without a value in a box.
  static func kept(
    in predicate: CoreDataPredicates.PredicateTree,
    of layout: EntityLayout
  ) -> KeptDemand? {
    let demands = all(in: predicate, of: layout)
    let kept = demands.lazy.compactMap { demand -> KeptDemand? in
      guard let value = demand.kept else { return nil }
      return KeptDemand(slot: demand.slot, value: value, isTruthValue: demand.isTruthValue)
    }
    return kept.first { !$0.isTruthValue } ?? kept.first
  }

  /// The value in the form in which objects keep it; nil for one that may equal values in other forms.
  private var kept: SlotValue? {
    switch (layout.kinds[slot], constant.kind) {
    case (_, .nothing): .null
    case (.integer, .integer(let number)), (.boolean, .integer(let number)): .integer(number)
    case (.real, .real(let number)): number.isNaN ? nil : .real(number)
    case (.text, .text(let text)): .text(text)
    case (.uuid, .uuid(let uuid)): .uuid(uuid)
    case (.date, .date(let date)): .real(date.timeIntervalSinceReferenceDate)
    case _: nil
    }
  }
}

/// What a predicate demands of a slot, by which most of many changed objects are known not to meet it before the predicate
/// is asked about them one by one.
struct KeptDemand {
  fileprivate let slot: Int
  fileprivate let value: SlotValue
  fileprivate let isTruthValue: Bool

  /// Whether an object of the entity may have the value; false only where it is known to have another.
  ///
  /// Fires no fault, and counts as no reading of the property.
  func mayBeMet(by object: NSManagedObject) -> Bool {
    if let overlay = object.existingOverlay, overlay.has(slot) { return mayBe(overlay[slot]) }
    guard object.isStored(slot), object.hasWholeRow, let row = object.stored else { return true }
    guard row.hasValue(slot) else { return value.isNull }
    return switch value {
    case .null: false
    case .integer(let number): row.integer(slot) == number
    case .real(let number): Self.areSame(row.real(slot), number)
    case .text(let text): row.bytes(slot).elementsEqual(text.utf8)
    case .data, .uuid, .url, .object, .collection: true
    }
  }

  private func mayBe(_ kept: SlotValue) -> Bool {
    switch (kept, value) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): Self.areSame(one, other)
    case (.text(let one), .text(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case _: true
    }
  }

  /// An attribute of less precision has another number than was asked for.
  private static func areSame(_ one: Double, _ other: Double) -> Bool {
    one == other || Float(one) == Float(other)
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

  /// Asks an object no more whose identity stays what it is; gives whether there is none to ask.
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
      // Dates that are no numbers are equal, but do not share a hash.
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
