import CoreDataModel

/// A description of an attribute that consists of several elements, such as a place with latitude
/// and longitude.
///
/// The value of the attribute is a dictionary with the names of the elements as keys. Elements that
/// are left out are `nil`. In the dictionaries of a fetch, the value is a dictionary, too, and a single element that is
/// fetched has its key path as its key.
///
/// ```swift
/// note.setValue(["latitude": 52.5, "longitude": 13.4], forKey: "place")
/// note.setValue(48.1, forKeyPath: "place.latitude")   // the longitude does not change
/// NSPredicate(format: "place.latitude > 50")
/// ```
///
/// An element that is not optional needs a value if another element has one; without any, the attribute is `nil`, and its own
/// `isOptional` decides.
///
/// Each element is stored in a column of its own, which has the name of the element, in the order of ``elements``.
/// Unlike Apple's framework, this one also supports composite attributes in stores in memory. An
/// element cannot be undefined, an object ID, transient, derived, or stored in separate files.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The elements of the attribute, which can be composite attributes themselves.
  public var elements: [NSAttributeDescription] = [] {
    willSet { willChange() }
  }

  /// Whether the model is that of a file with the former names of columns, see `AttributeSchema`.
  var hasFormerComposites = false

  public required init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSCompositeAttributeDescription else { return }
    elements = other.elements.map(\.duplicate)
    hasFormerComposites = other.hasFormerComposites
  }

  override func freeze() {
    for element in elements { element.freeze() }
    super.freeze()
  }

  override var kind: String { "composite attribute" }

  override func makeSchema() -> AttributeSchema {
    var schema = super.makeSchema()
    schema.elements = elements.map { $0.makeSchema() }
    schema.hasFormerComposites = hasFormerComposites
    return schema
  }

  override func take(from schema: AttributeSchema) {
    super.take(from: schema)
    elements = schema.elements.map(NSAttributeDescription.make)
    hasFormerComposites = schema.hasFormerComposites
  }
}

extension NSEntityDescription {
  /// The attribute of a name, or the element of a composite attribute to which a path such as `place.latitude`
  /// leads.
  func attribute(at path: String) -> NSAttributeDescription? {
    let names = path.split(separator: ".")
    guard let first = names.first else { return nil }
    return names.dropFirst().reduce(attributesByName[String(first)]) { attribute, name in
      (attribute as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
    }
  }
}
