import CoreData
import Foundation

/// The composite attributes of which a record has elements.
struct ImportedComposites {
  private let layout: EntityLayout
  private let scratch: NSManagedObject
  private let updates: Bool
  private var drafts: [Int: Draft] = [:]

  private struct Draft {
    var values: [String: Any]
    var count = 0
  }

  /// Elements that a record does not have are those of the object `scratch`; `updates` says whether the record
  /// may be written onto an object that is there.
  init(_ layout: EntityLayout, _ scratch: NSManagedObject, updates: Bool) {
    self.layout = layout
    self.scratch = scratch
    self.updates = updates
  }

  mutating func set(_ element: ImportedElement, to value: Any) {
    let name = layout.slots[element.slot].name
    var draft =
      drafts[element.slot]
      ?? Draft(values: (scratch.value(forKey: name) as? [String: Any]) ?? [:])
    draft.values = draft.values.setting(value, at: element.path)
    draft.count += 1
    drafts[element.slot] = draft
  }

  /// Writes the attributes; throws a ``Refusal`` for a value that the model does not allow.
  func write(to row: inout RowPen) throws {
    for (slot, draft) in drafts.sorted(by: { $0.key < $1.key }) {
      let name = layout.slots[slot].name
      // An update writes the whole attribute, and elements that the record lacks would be lost.
      if updates, draft.count < layout.slots[slot].elements.count {
        throw Refusal(
          "\(layout.name).\(name) is updated as a whole; give all its elements, or none"
        )
      }
      if let obstacle = ImportDemand.obstacle(in: draft.values, of: name, scratch) {
        throw Refusal(obstacle)
      }
      try row.set(slot, toAny: draft.values)
    }
  }
}

extension [String: Any] {
  /// The same with a value at the end of a path of names.
  fileprivate func setting(_ value: Any, at path: ArraySlice<String>) -> [String: Any] {
    guard let name = path.first else { return self }
    var values = self
    if path.count > 1 {
      let inner = values[name] as? [String: Any] ?? [:]
      values[name] = inner.setting(value, at: path.dropFirst())
    } else {
      values[name] = value
    }
    return values
  }
}
