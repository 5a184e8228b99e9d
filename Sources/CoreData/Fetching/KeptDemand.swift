import CoreDataPredicates
import Foundation

/// A value that a predicate demands of a slot, in the form in which objects keep it: most of many changed objects can
/// be ruled out before the predicate is evaluated with them one by one.
struct KeptDemand {
  let layout: EntityLayout
  let slot: Int
  private let value: SlotValue
  /// The fingerprint of the value among ``UnsavedValues``.
  let fingerprint: Int

  /// Finds the demand that leaves out most objects; `nil` if none can be compared with the values that objects keep.
  init?(in predicate: CoreDataPredicates.PredicateTree, of layout: EntityLayout) {
    let demands = DemandedValue.all(in: predicate, of: layout).filter { $0.kept != nil }
    guard let demand = DemandedValue.sharpest(demands), let value = demand.kept,
      let fingerprint = value.fingerprint(asKind: layout.kinds[demand.slot])
    else { return nil }
    self.layout = layout
    slot = demand.slot
    self.value = value
    self.fingerprint = fingerprint
  }

  /// Whether an object of the entity may have the value; false only if it is known to have another.
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

extension DemandedValue {
  /// The value in the form in which objects keep it; nil for one that may equal values in other forms.
  fileprivate var kept: SlotValue? {
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

extension SlotValue {
  /// A number that all values share that a demand of this one may mean; `nil` if values cannot be distinguished.
  func fingerprint(asKind kind: SlotKind) -> Int? {
    switch (kind, self) {
    case (_, .null): 0
    case (.integer, .integer(let number)), (.boolean, .integer(let number)): number.hashValue
    case (.date, .real(let number)): number.hashValue
    // An attribute of less precision has another number than was asked for.
    case (.real, .real(let number)): Float(number).hashValue
    case (.text, .text(let text)): text.hashValue
    case (.uuid, .uuid(let uuid)): uuid.hashValue
    case _: nil
    }
  }
}
