import CoreDataModel
import CoreDataPredicates

/// A description of an attribute whose value the store computes from other properties at each save.
///
/// ```swift
/// let count = NSDerivedAttributeDescription()
/// count.name = "noteCount"
/// count.type = .integer64
/// count.derivationExpression = NSExpression(format: "notes.@count")
/// ```
///
/// The expression can be `now()`; a key path such as `folder.name`; a key path with `@count`,
/// `@sum`, `@min`, `@max` or `@avg` behind a to-many relationship; or `canonical:`, `uppercase:` or
/// `lowercase:` of a text. With any other expression, adding the store throws 134080.
///
/// The value is available after the save, also on objects that the save did not write: they are
/// refreshed. A value that you set yourself is replaced. In a SQLite store the values are
/// maintained by the same triggers that Apple's framework creates, if these are known. Functions
/// of a text, many-to-many counts and longer key paths are computed when a context saves. Unlike
/// Apple's framework, this one also supports derived attributes in stores in memory and in PostgreSQL databases.
///
/// If a text has a derived attribute with `canonical:`, searches with `[cd]` use its column and an
/// index of it.
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  private var ownExpression: Spelled<NSExpression>?
  /// Which related objects are counted or summed; only model files say it.
  private var filterFormat: String?

  /// The expression from which the value is computed.
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
