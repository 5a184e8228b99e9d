import CoreDataModel
import CoreDataPredicates

/// An attribute that the store computes from others at each save.
///
/// ```swift
/// let count = NSDerivedAttributeDescription()
/// count.name = "noteCount"
/// count.type = .integer64
/// count.derivationExpression = NSExpression(format: "notes.@count")
/// ```
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  private var ownExpression: Spelled<NSExpression>?
  /// Which related objects are counted or summed; only model files say it.
  private var filterFormat: String?

  /// What the value is computed by.
  public var derivationExpression: NSExpression? {
    get { ownExpression?.expression }
    set {
      willChange()
      ownExpression = newValue.map(Spelled.value)
    }
  }

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSDerivedAttributeDescription else { return }
    ownExpression = other.ownExpression
    filterFormat = other.filterFormat
  }

  override func freeze() {
    ownExpression = ownExpression?.parsed
    super.freeze()
  }

  override var kind: String { "derived attribute" }

  override func makeSchema() -> AttributeSchema {
    var schema = super.makeSchema()
    schema.derivationExpression = ownExpression?.format
    schema.derivationFilterFormat = filterFormat
    return schema
  }

  override func take(from schema: AttributeSchema) {
    super.take(from: schema)
    ownExpression = schema.derivationExpression.map(Spelled.text)
    filterFormat = schema.derivationFilterFormat
  }
}
