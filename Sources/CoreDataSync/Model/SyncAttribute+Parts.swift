import CoreData
import CoreDataSyncCore

// Values of composite attributes.
//
// A newer version of the program may know more elements of one. Their values stay in the cell while an older version
// shows the others, and changes them:
//
//     phone, which knows both           place   city Rome   zip 00100
//     laptop, which knows the city      place   city Oslo
//     the cell, written by the laptop   place   city Oslo   zip 00100

extension SyncAttribute {
  /// Whether its values have parts.
  var isComposite: Bool { description is NSCompositeAttributeDescription }

  /// The part of a value that a store shows: all of it but the parts that this program's model does not know.
  func shown(of value: CellValue) -> CellValue {
    isComposite ? Self.shown(of: value, description) : value
  }

  /// A value of this store's, with the parts of another that this program's model does not know.
  ///
  /// Without a value in the store, they are kept where nothing else of the other could be shown.
  func completed(_ value: CellValue, from other: CellValue?) -> CellValue {
    guard isComposite, let other else { return value }
    return Self.completed(value, from: other, description)
  }

  /// The store's value after its migration, made from a value that has waited beside it: the elements that the version
  /// before knew, by the numbers of their paths, and the default values of the others.
  func migrated(_ value: CellValue, _ isKnown: (PropertyID) -> Bool) throws -> CellValue {
    try Self.migrated(value, description, path: description.stableName, isKnown)
  }

  /// The numbers by which a model's fingerprint has the attribute and its elements.
  var numbers: [PropertyID] { [property] + Self.paths(description, description.stableName) }
}

extension SyncAttribute {
  private static func shown(
    of value: CellValue,
    _ attribute: NSAttributeDescription
  ) -> CellValue {
    guard let composite = attribute as? NSCompositeAttributeDescription,
      let parts = value.partsByProperty
    else { return value }
    var known: [PropertyID: CellValue] = [:]
    for element in composite.elements {
      known[element.property] = parts[element.property].map { shown(of: $0, element) }
    }
    return CellValue(whole: known)
  }

  private static func completed(
    _ value: CellValue,
    from other: CellValue,
    _ attribute: NSAttributeDescription
  ) -> CellValue {
    guard let composite = attribute as? NSCompositeAttributeDescription,
      let others = other.partsByProperty
    else { return value }
    if value == .null, shown(of: other, attribute) != .null { return value }
    guard var parts = value == .null ? [:] : value.partsByProperty else { return value }
    for (property, other) in others {
      if let element = composite.elements.first(where: { $0.property == property }) {
        parts[property] = completed(parts[property] ?? .null, from: other, element)
      } else {
        parts[property] = other
      }
    }
    return CellValue(whole: parts)
  }

  private static func migrated(
    _ value: CellValue,
    _ attribute: NSAttributeDescription,
    path: String,
    _ isKnown: (PropertyID) -> Bool
  ) throws -> CellValue {
    guard let composite = attribute as? NSCompositeAttributeDescription else { return value }
    let parts = value.partsByProperty ?? [:]
    var shown: [PropertyID: CellValue] = [:]
    for element in composite.elements {
      let path = element.path(under: path)
      if isKnown(PropertyID(name: path)) {
        let part = parts[element.property] ?? .null
        shown[element.property] = try migrated(part, element, path: path, isKnown)
      } else if let unset = element.defaultValue {
        shown[element.property] = try cellValue(of: unset, element)
      }
    }
    return CellValue(whole: shown)
  }

  private static func paths(_ attribute: NSAttributeDescription, _ path: String) -> [PropertyID] {
    guard let composite = attribute as? NSCompositeAttributeDescription else { return [] }
    return composite.elements.flatMap { element in
      let path = element.path(under: path)
      return [PropertyID(name: path)] + paths(element, path)
    }
  }
}

extension NSAttributeDescription {
  /// The number of an attribute, or of an element among its siblings.
  var property: PropertyID { PropertyID(name: stableName) }

  /// The path of an element, under all names the same.
  fileprivate func path(under composite: String) -> String { "\(composite).\(stableName)" }
}

extension CellValue {
  /// The value of a composite attribute: null if all parts are null.
  ///
  /// The parts are in the order of their numbers, which is that of every device, also of those that do not know some.
  init(whole parts: [PropertyID: CellValue]) {
    let present = parts.filter { $0.value != .null }
    self =
      present.isEmpty
      ? .null : .parts(present.sorted { $0.key < $1.key }.map { Part($0.key, $0.value) })
  }

  /// Nil for a value without parts.
  ///
  /// Of two parts with one number, as no device of ours sends them, the first counts.
  fileprivate var partsByProperty: [PropertyID: CellValue]? {
    guard case .parts(let parts) = self else { return nil }
    return Dictionary(parts.map { ($0.property, $0.value) }) { first, _ in first }
  }
}
