import CoreDataModel
import Foundation

// MARK: - Elements of composite attributes

extension NSManagedObject {
  /// A part of a composite attribute that a key path leads to: `folder.place.latitude`.
  struct CompositePart {
    let owner: NSManagedObject
    let slot: Int
    let path: [String]
  }

  /// Nil for a path that does not go through a composite attribute.
  func compositePart(atPath keyPath: String) -> CompositePart? {
    let keys = keyPath.split(separator: ".").map(String.init)
    var owner = self
    for (place, key) in keys.enumerated().dropLast() {
      guard let slot = owner.layout.slot(named: key) else { return nil }
      if owner.layout.slots[slot].kind == .composite {
        return CompositePart(owner: owner, slot: slot, path: Array(keys[(place + 1)...]))
      }
      guard owner.layout.slots[slot].kind == .toOne, let next = owner.target(at: slot) else {
        return nil
      }
      owner = next
    }
    return nil
  }

  /// Sets one element, or a composite within the composite with a dictionary; the others stay.
  ///
  /// Stops the program for an element that the model does not have, or a value that it does not take.
  func setPart(_ path: [String], of slot: Int, to value: Any?) {
    let elements = layout.elements(of: slot)
    let name = "\(layout.name).\(layout.slots[slot].name).\(path.joined(separator: "."))"
    var values = compositeValue(at: slot).values
    let given = SlotValue.unwrapped(value)
    if let index = elements.firstIndex(where: { $0.path == path }) {
      let slot = elements[index].slot
      let taken =
        given.map { layout.accepted($0, at: slot) ?? layout.truncated($0, at: slot) } ?? .null
      guard let taken else {
        stop(
          """
          \(name) takes \(layout.expectation(at: elements[index].slot)), \
          not \(given.map { "\($0)" } ?? "nil")
          """
        )
      }
      values[index] = taken
    } else {
      let inner = elements.indices.filter { elements[$0].path.starts(with: path) }
      require(!inner.isEmpty, "\(layout.name).\(layout.slots[slot].name) has no element \(name)")
      let whole = path.reversed().reduce(given ?? [String: Any]()) { [$1: $0] }
      guard let taken = CompositeValue.of(whole, at: slot, in: layout, cutsFractions: true)
      else {
        stop("\(name) takes \(layout.expectation(at: slot)), not \(given ?? "nil")")
      }
      for index in inner { values[index] = layout.element(index, of: taken) }
    }
    set(CompositeValue(values).slotValue, at: slot)
  }

  private func compositeValue(at slot: Int) -> CompositeValue {
    if case .object(let object) = value(at: slot), let value = object as? CompositeValue {
      return value
    }
    return CompositeValue(Array(repeating: .null, count: layout.elements(of: slot).count))
  }
}

// MARK: - Validation

extension NSManagedObject {
  /// The value that a rule looks at: of a property, or of an element of a composite attribute.
  func ruledValue(at slot: Int) -> SlotValue {
    guard case .element(let composite, let index)? = layout.slots[slot].hidden else {
      return value(at: slot)
    }
    return layout.element(index, of: value(at: composite))
  }

  /// Whether a slot belongs to an element of a composite attribute that is `nil`, so that no value is required.
  func isOfAbsentComposite(_ slot: Int) -> Bool {
    guard case .element(let composite, _)? = layout.slots[slot].hidden else { return false }
    return value(at: composite).isNull
  }

  func boxedRuledValue(at slot: Int) -> Any? {
    if layout.slots[slot].hidden == nil { return boxedValue(at: slot) }
    return box(ruledValue(at: slot), at: slot)
  }
}

// MARK: - Changes

extension NSManagedObject {
  /// Whether an element of a composite attribute differs from what is stored.
  func hasChangedElement(at slot: Int) -> Bool {
    guard let snapshot = self.snapshot else { return true }
    let now = value(at: slot)
    return layout.elements(of: slot).enumerated().contains { index, element in
      let stored = SlotValue(unpacking: element.slot, of: snapshot, in: layout)
      let one = box(layout.element(index, of: now), at: element.slot) as? AnyHashable
      return one != box(stored, at: element.slot) as? AnyHashable
    }
  }
}

extension NSManagedObject {
  /// The values of a composite attribute's elements, each with its slot; none for other properties.
  func elementValues(of dictionary: Any?, at slot: Int) -> [(value: Any?, slot: Int)] {
    let whole = dictionary.flatMap { layout.accepted($0, at: slot) } ?? .null
    return layout.elements(of: slot).enumerated().map { index, element in
      (box(layout.element(index, of: whole), at: element.slot), element.slot)
    }
  }
}
