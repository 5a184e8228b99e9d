import CoreDataModel
import CoreDataSQL
import Foundation

/// Properties of an entity whose values no two rows may share.
///
/// A constraint holds for every row that has the properties: for the entity that declares them and all
/// below it, as the unique index of their table does.
package struct UniqueConstraint: Hashable, Sendable {
  package let names: [String]
  package let slots: [Int]
  /// The number of the uppermost entity that has all the properties.
  package let entity: Int32
  /// That entity and everything below it.
  package let numbers: ClosedRange<Int32>

  /// The constraints that hold for an entity's rows, wherever in its tree they are declared.
  static func all(of layout: EntityLayout, in model: ModelLayout) -> [UniqueConstraint] {
    var found: [UniqueConstraint] = []
    for other in model.entities where other.rootNumber == layout.rootNumber {
      for names in other.schema.uniquenessConstraints {
        guard let constraint = UniqueConstraint(names, of: other, in: model),
          constraint.numbers.contains(layout.number), !found.contains(constraint)
        else { continue }
        found.append(constraint)
      }
    }
    return found
  }

  /// `nil` if one of the properties does not have a column, so that an index cannot contain it.
  private init?(_ names: [String], of layout: EntityLayout, in model: ModelLayout) {
    let slots = names.compactMap { layout.slot(named: $0) }
      .filter { layout.slots[$0].isPersistent && layout.slots[$0].kind.hasColumn }
    guard slots.count == names.count,
      let entity = slots.map({ layout.declarer(of: $0) }).max(),
      let top = model[number: entity]
    else { return nil }
    self.names = names
    self.slots = slots
    self.entity = entity
    numbers = top.numbers
  }
}

extension SlotKind {
  fileprivate var hasColumn: Bool {
    switch self {
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .toOne:
      true
    case .composite, .object, .toMany, .orderedToMany, .fetched:
      false
    }
  }
}

/// The values of one row in the properties of a constraint; equal if a unique index finds them equal.
///
/// Text is compared byte by byte, and a row without a value in one of the properties shares it with
/// nobody.
package struct UniqueValues: Hashable, Sendable {
  package let values: [Value]

  package enum Value: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case bytes([UInt8])
  }

  /// Nil when a value is missing.
  package init?(_ constraint: UniqueConstraint, of snapshot: Snapshot, in layout: EntityLayout) {
    var values: [Value] = []
    for slot in constraint.slots {
      guard snapshot.hasValue(slot) else { return nil }
      switch layout.kinds[slot] {
      case .integer, .boolean, .toOne:
        values.append(.integer(snapshot.integer(slot)))
      case .real, .date:
        // Databases keep no NaN.
        if snapshot.real(slot).isNaN { return nil }
        values.append(.real(snapshot.real(slot)))
      case .text, .uri:
        values.append(.text([UInt8](snapshot.bytes(slot))))
      case .decimal:
        let decimal = snapshot.bytes(slot).loadUnaligned(as: Decimal.self)
        if decimal.isNaN { return nil }
        values.append(.text([UInt8]("\(decimal)".utf8)))
      case .uuid, .data, .externalData, .transformable:
        values.append(.bytes([UInt8](snapshot.bytes(slot))))
      case .composite, .object, .toMany, .orderedToMany, .fetched:
        return nil
      }
    }
    self.values = values
  }

  /// Whether a text has the character U+0000.
  package var hasZeroInText: Bool {
    values.contains { value in
      guard case .text(let text) = value else { return false }
      return text.contains(0)
    }
  }

  var sql: [SQLValue] {
    values.map { value in
      switch value {
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(String(decoding: text, as: UTF8.self))
      case .bytes(let bytes): .blob(bytes)
      }
    }
  }
}
