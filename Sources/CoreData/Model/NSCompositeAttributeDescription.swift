import CoreDataModel

/// An attribute that is made of several: a place with `latitude` and `longitude`.
///
/// Its value is a dictionary keyed by the names of its elements; what the dictionary leaves out is nil.
///
/// ```swift
/// note.setValue(["latitude": 52.5, "longitude": 13.4], forKey: "place")
/// note.setValue(48.1, forKeyPath: "place.latitude")                    // the longitude stays
/// NSPredicate(format: "place.latitude > 50")
/// ```
///
/// Each element has a column of its own. No store of Apple's with such an attribute was at hand, so the
/// columns' names are ours; a store in memory, which Apple's framework refuses, works as well. An
/// element cannot be untyped, an object ID, transient, derived, or data kept in a file.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The attributes it is made of; a composite attribute may stand among them.
  public var elements: [NSAttributeDescription] = [] {
    willSet { willChange() }
  }

  public required init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSCompositeAttributeDescription else { return }
    elements = other.elements.map(\.duplicate)
  }

  override func freeze() {
    for element in elements { element.freeze() }
    super.freeze()
  }

  override var kind: String { "composite attribute" }

  override func makeSchema() -> AttributeSchema {
    var schema = super.makeSchema()
    schema.elements = elements.map { $0.makeSchema() }
    return schema
  }

  override func take(from schema: AttributeSchema) {
    super.take(from: schema)
    elements = schema.elements.map(NSAttributeDescription.make)
  }
}
