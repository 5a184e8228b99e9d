import CoreDataModel

/// An attribute that is made of several: a place with `latitude` and `longitude`.
///
/// Its value is a dictionary keyed by the names of its elements.
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
