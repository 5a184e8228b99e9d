import CoreDataSQL
import Foundation

@testable import CoreData

/// An object's properties in the words in which a test compares them with plain SQL.
struct ObjectLines {
  let object: NSManagedObject

  var lines: [String] {
    let layout = object.layout
    let id = object.objectID
    return layout.slots.prefix(layout.propertyCount).compactMap { slot in
      guard slot.isPersistent, slot.kind != .fetched,
        let text = text(of: object.value(forKey: slot.name), as: slot)
      else { return nil }
      return "\(layout.name)/\(id.key.number) \(slot.name) = \(text)"
    }
  }

  private func text(of value: Any?, as slot: Slot) -> String? {
    switch slot.kind {
    case .toMany, .orderedToMany: members(of: value)
    case .toOne: (value as? NSManagedObject).map(target) ?? "nil"
    case .transformable: value == nil ? "nil" : "\(storedBytes(of: slot)) bytes"
    case .boolean: (value as? NSNumber).map { $0.boolValue ? "1" : "0" } ?? "nil"
    case .integer: (value as? NSNumber).map { "\($0.int64Value)" } ?? "nil"
    case .decimal: (value as? NSNumber).map { PlainRows.decimal($0.doubleValue) } ?? "nil"
    case .real: (value as? NSNumber).map { "\($0.doubleValue)" } ?? "nil"
    case .date: (value as? Date).map { "\($0.timeIntervalSinceReferenceDate)" } ?? "nil"
    case .text: (value as? String).map { SQLValue.text($0).description } ?? "nil"
    case .uri: (value as? URL).map { SQLValue.text($0.absoluteString).description } ?? "nil"
    case .uuid: (value as? UUID).map { uuid in withUnsafeBytes(of: uuid) { blob($0) } } ?? "nil"
    case .data, .externalData: (value as? Data).map { $0.withUnsafeBytes(blob) } ?? "nil"
    case .object, .composite, .fetched: nil
    }
  }

  private func blob(_ bytes: UnsafeRawBufferPointer) -> String {
    SQLValue.blob(Array(bytes)).description
  }

  private func target(_ target: NSManagedObject) -> String {
    "\(target.entity.name ?? "")/\(target.objectID.key.number)"
  }

  private func members(of value: Any?) -> String {
    let numbers = { (all: [Any]) in all.compactMap { ($0 as? NSManagedObject)?.objectID.key.number }
    }
    let found =
      (value as? NSOrderedSet).map { numbers($0.array) }
      ?? (value as? NSSet).map { numbers($0.allObjects).sorted() } ?? []
    return found.map(String.init).joined(separator: ", ")
  }

  private func storedBytes(of slot: Slot) -> Int {
    guard let index = object.layout.slot(named: slot.name),
      let snapshot = object.record.pointee.snapshot, snapshot.hasValue(index)
    else { return 0 }
    return snapshot.bytes(index).count
  }
}
