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
/// An expression is `now()`, a key path such as `folder.name`, one with `@count`, `@sum`, `@min`,
/// `@max` or `@avg` behind a to-many relationship, or `canonical:`, `uppercase:` or `lowercase:` of a
/// text. Any other makes adding the store fail with 134080.
///
/// The value is there after the save that caused it, in this context also on objects that the save
/// did not write: they are refreshed, not changed. What is set by hand is computed anew. SQLite files
/// have Apple's triggers where these are known, and both programs keep such values; the functions of
/// a text, many-to-many counts and longer paths are computed here when a context saves. A store in
/// memory, which Apple's framework refuses for such a model, computes them all.
///
/// Where a text has a derived `canonical:` form, searches with `[cd]` use its column, and an index of
/// it if there is one.
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
