import CoreDataModel
import Foundation

/// The value of a composite attribute: one value for each element, in the order of the elements.
///
/// ```
/// place        ["latitude": 52.5, "longitude": 13.4, "address": ["city": "Berlin"]]
/// elements      latitude 52.5     longitude 13.4      address.city "Berlin"
/// ```
///
/// Elements of elements are in the same list. An element that a dictionary leaves out is `nil`.
///
/// Safety: never changed after its initializer.
package final class CompositeValue {
  let values: [SlotValue]

  init(_ values: [SlotValue]) {
    self.values = values
  }

  /// The value as a slot holds it: null if every element is null.
  var slotValue: SlotValue { values.allSatisfy(\.isNull) ? .null : .object(self) }
}

/// An element of a composite attribute.
package struct CompositeElement: Sendable {
  /// The element's names within the attribute: `address`, `city`.
  let path: [String]
  /// The hidden slot that rows keep it in.
  let slot: Int
}

// MARK: - Finding elements

extension AttributeSchema {
  /// The elements that have values of their own, in the model's order, with the paths to them.
  var leaves: [(path: [String], attribute: AttributeSchema)] {
    elements.flatMap { element in
      element.type == .composite
        ? element.leaves.map { ([element.name] + $0.path, $0.attribute) }
        : [([element.name], element)]
    }
  }
}

extension EntityLayout {
  func elements(of slot: Int) -> [CompositeElement] { slots[slot].elements }

  /// The value of an element as the composite has it.
  func element(_ index: Int, of value: SlotValue) -> SlotValue {
    guard case .object(let object) = value, let composite = object as? CompositeValue else {
      return .null
    }
    return composite.values[index]
  }
}

// MARK: - Dictionaries

extension CompositeValue {
  /// Returns the value that a dictionary represents, or `nil` if it has other keys than the elements', or a value
  /// that an element does not take.
  ///
  /// Integer elements take the whole part of a number where `cutsFractions` says so.
  static func of(
    _ value: Any,
    at slot: Int,
    in layout: EntityLayout,
    cutsFractions: Bool = false
  ) -> SlotValue? {
    if let composite = value as? CompositeValue { return composite.slotValue }
    let elements = layout.elements(of: slot)
    var values = [SlotValue](repeating: .null, count: elements.count)
    guard fill(&values, from: value, under: [], elements, layout, cutsFractions) else { return nil }
    return CompositeValue(values).slotValue
  }

  private static func fill(
    _ values: inout [SlotValue],
    from value: Any,
    under prefix: [String],
    _ elements: [CompositeElement],
    _ layout: EntityLayout,
    _ cutsFractions: Bool
  ) -> Bool {
    guard let dictionary = dictionary(value) else { return false }
    for (key, value) in dictionary {
      let path = prefix + [key]
      let given = SlotValue.unwrapped(value)
      if let index = elements.firstIndex(where: { $0.path == path }) {
        guard let given else { continue }
        let slot = elements[index].slot
        let taken =
          layout.accepted(given, at: slot)
          ?? (cutsFractions ? layout.truncated(given, at: slot) : nil)
        guard let taken else { return false }
        values[index] = taken
      } else {
        guard elements.contains(where: { $0.path.starts(with: path) }) else { return false }
        if let given, !fill(&values, from: given, under: path, elements, layout, cutsFractions) {
          return false
        }
      }
    }
    return true
  }

  private static func dictionary(_ value: Any) -> [String: Any]? {
    if let dictionary = value as? [String: Any] { return dictionary }
    guard let dictionary = value as? [AnyHashable: Any] else { return nil }
    var named: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let key = key.base as? String else { return nil }
      named[key] = value
    }
    return named
  }

  /// The dictionary, without what is nil.
  func dictionary(at slot: Int, in layout: EntityLayout) -> [String: Any] {
    Self.dictionary(
      zip(layout.elements(of: slot), values).compactMap { element, value in
        value.boxed(at: element.slot, in: layout).map { (element.path[...], $0) }
      }
    )
  }

  private static func dictionary(
    _ values: [(path: ArraySlice<String>, value: Any)]
  ) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (key, values) in Dictionary(grouping: values, by: { $0.path.first ?? "" }) {
      dictionary[key] =
        values.count == 1 && values[0].path.count == 1
        ? values[0].value : Self.dictionary(values.map { ($0.path.dropFirst(), $0.value) })
    }
    return dictionary
  }
}

// MARK: - Rows

extension CompositeValue {
  /// The value as a row has it.
  static func unpacked(_ slot: Int, of snapshot: Snapshot, in layout: EntityLayout) -> SlotValue {
    let values = layout.elements(of: slot).map {
      SlotValue(unpacking: $0.slot, of: snapshot, in: layout)
    }
    return CompositeValue(values).slotValue
  }
}
