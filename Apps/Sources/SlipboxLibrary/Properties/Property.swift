public import CoreData
public import RichText

/// A property of a note, such as `due: 2026-12-01`.
///
/// The kind and the value are one attribute, `value_`, so that devices which change one property at the same time have
/// either value whole; properties that different devices change are different objects. The device computes for itself
/// what searches and orders compare: ``PropertyAttributes/key`` and `words_`.
///
/// A link is the relationship `target`; the value has the title, which follows that of the note.
public final class Property: NSManagedObject {
  public override func willSave() {
    super.willSave()
    let key = PropertyAttributes.note
    let owner = note ?? committedValues(forKeys: [key])[key] as? Note
    if let owner, !owner.isDeleted { owner.keepPropertyFacts() }
  }
}

extension Property {
  public var uuid: UUID { uuid_ ?? .none }

  public var name: String {
    get { name_ ?? "" }
    set { name_ = newValue }
  }

  /// The value, whose link leads to a note if that is there.
  public var value: PropertyValue {
    let value = PropertyValue(stored: value_ ?? "")
    guard case .link(var link) = value, let target, !target.isTrashed, target.erasedDate_ == nil
    else { return value }
    link.note = target.uuid
    if !target.title.isEmpty { link.title = target.title }
    return .link(link)
  }

  /// Computes what searches and orders compare.
  ///
  /// - Parameter isFirst: Whether no other property of the note that counts has the name: two devices may have given
  ///   it to two.
  fileprivate func keepFacts(isFirst: Bool) {
    let value = value
    let (key, words) = isFirst ? (value.key, value.words) : (nil, nil)
    if key_ != key { key_ = key }
    if words_ != words { words_ = words }
    if kind_ != value.kind.rawValue { kind_ = value.kind.rawValue }
  }
}

extension Note {
  /// The properties in the order that somebody has given them.
  public var properties: [Property] {
    (properties_ as? Set<Property> ?? []).filter { !$0.isDeleted }
      .sorted { ($0.order, $0.uuid.text) < ($1.order, $1.uuid.text) }
  }

  /// Computes what searches compare of the properties, and the words of them all.
  func keepPropertyFacts() {
    let properties = properties
    var seen: Set<String> = []
    for property in properties.sorted(by: { $0.uuid.text < $1.uuid.text }) {
      property.keepFacts(isFirst: seen.insert(property.name.canonical).inserted)
    }
    let words = properties.map(\.value)
      .filter { $0.kind != .checkbox && !$0.isEmpty }.map(\.plainText).joined(separator: "\n")
    let kept = words.isEmpty ? nil : words.lowercased()
    if propertyWords_ != kept { propertyWords_ = kept }
  }
}

/// The names of a property's attributes in predicates and sort descriptors.
public enum PropertyAttributes {
  public static let name = "name_"
  public static let canonicalName = "canonicalName"
  public static let kind = "kind_"
  /// A text by which values are compared and put in order; nil for an empty value.
  public static let key = "key_"
  public static let words = "words_"
  public static let note = "note"
}

extension NoteProperties {
  public static let properties = "properties_"
  static let propertyWords = "propertyWords_"
  static let linkingProperties = "linkingProperties_"
}
