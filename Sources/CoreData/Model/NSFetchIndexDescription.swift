import CoreDataModel
import CoreDataPredicates
public import Foundation
import Synchronization

/// A description of an index that speeds up fetches of an entity.
///
/// ```swift
/// let byTitle = NSFetchIndexElementDescription(property: title, collationType: .binary)
/// note.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [byTitle])]
/// ```
///
/// The index becomes one of the entity's table in SQLite and PostgreSQL stores; other stores ignore it. It is not
/// created if one of its elements does not have a column, such as a to-many relationship, a composite attribute or an
/// expression other than `SELF` and `entity`.
///
/// All elements must have the same ``NSFetchIndexElementDescription/collationType``; otherwise the program stops. An index
/// of a model that is in use cannot be changed: setting a property stops the program.
public final class NSFetchIndexDescription: NSObject, NSCopying, FrozenWithModel, Sendable {
  /// The name of the index, which should be unique in its entity.
  public var name: String {
    get { parts.withLock { $0.name } }
    set {
      willChange()
      parts.withLock { $0.name = newValue }
    }
  }
  /// The elements by which the index is ordered, the most significant first.
  public var elements: [NSFetchIndexElementDescription] {
    get { parts.withLock { $0.elements } }
    set {
      willChange()
      parts.withLock { $0.elements = newValue }
      takeElements()
    }
  }
  /// The entity that the index belongs to, or `nil` before it is added to one.
  public internal(set) var entity: NSEntityDescription? {
    get { parts.withLock { $0.entity } }
    set { parts.withLock { $0.entity = newValue } }
  }

  var isFrozen: Bool { parts.withLock { $0.isFrozen } }
  private let parts: Mutex<Parts>

  private struct Parts {
    var name: String
    var elements: [NSFetchIndexElementDescription]
    weak var entity: NSEntityDescription?
    var predicate = Immutable<Spelled<NSPredicate>?>(nil)
    var isFrozen = false
  }

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - elements: The elements by which the index is ordered, the most significant first.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    parts = Mutex(Parts(name: name, elements: elements ?? []))
    super.init()
    takeElements()
  }

  private func takeElements() {
    guard Set(elements.map(\.collationType)).count < 2 else {
      stop("\(title) mixes binary and R-tree elements; make an index of each kind")
    }
    for element in elements { element.indexDescription = self }
  }
}

extension NSFetchIndexDescription {
  /// The condition that objects in the index meet, or `nil` if the index contains all objects.
  ///
  /// It can compare attributes and to-one relationships of the entity with `nil`, and attributes with numbers, Booleans and
  /// texts by `==`, `!=`, `<`, `<=`, `>` and `>=`, combined with `AND`, `OR` and `NOT`. With any other condition the index
  /// contains all objects.
  public var partialIndexPredicate: NSPredicate? {
    get { ownPredicate?.predicate }
    set {
      willChange()
      ownPredicate = newValue.map(Spelled.value)
    }
  }

  private var ownPredicate: Spelled<NSPredicate>? {
    get { parts.withLock { $0.predicate }.value }
    set {
      let predicate = Immutable(newValue)
      parts.withLock { $0.predicate = predicate }
    }
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexDescription(name: name, elements: elements.map(\.duplicate))
    copy.ownPredicate = ownPredicate
    return copy
  }

  /// Whether the index covers all objects, by this property alone.
  func isOnly(of property: String) -> Bool {
    schema.partialPredicateFormat == nil && schema.elements.map(\.subject) == [.property(property)]
  }

  var title: String { "the index \(name) of \(entity?.nameOrPlaceholder ?? "no entity")" }

  func freeze() {
    for element in elements { element.freeze() }
    ownPredicate = ownPredicate?.parsed
    parts.withLock { $0.isFrozen = true }
  }
}

// MARK: - Schema

extension NSFetchIndexDescription {
  convenience init(_ schema: FetchIndexSchema) {
    self.init(name: schema.name, elements: schema.elements.map(NSFetchIndexElementDescription.init))
    ownPredicate = schema.partialPredicateFormat.map(Spelled.text)
  }

  var schema: FetchIndexSchema {
    FetchIndexSchema(
      name: name,
      elements: elements.map(\.schema),
      partialPredicateFormat: ownPredicate?.format
    )
  }
}
