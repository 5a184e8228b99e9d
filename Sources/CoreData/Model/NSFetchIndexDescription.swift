import CoreDataModel
import CoreDataPredicates
public import Foundation

/// A description of an index that speeds up fetches of an entity.
///
/// ```swift
/// let byTitle = NSFetchIndexElementDescription(property: title, collationType: .binary)
/// note.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [byTitle])]
/// ```
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public final class NSFetchIndexDescription: NSObject, NSCopying, FrozenWithModel,
  @unchecked Sendable
{
  /// The name of the index.
  public var name: String {
    willSet { willChange() }
  }
  /// The elements by which the index is ordered, the most significant first.
  public var elements: [NSFetchIndexElementDescription] {
    willSet { willChange() }
    didSet { takeElements() }
  }
  /// The entity of the index.
  public internal(set) weak var entity: NSEntityDescription?

  private(set) var isFrozen = false
  private var ownPredicate: Spelled<NSPredicate>?

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - elements: The elements by which the index is ordered, the most significant first.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
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
  public var partialIndexPredicate: NSPredicate? {
    get { ownPredicate?.predicate }
    set {
      willChange()
      ownPredicate = newValue.map(Spelled.value)
    }
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexDescription(name: name, elements: elements.map(\.duplicate))
    copy.ownPredicate = ownPredicate
    return copy
  }

  var title: String { "the index \(name) of \(entity?.nameOrPlaceholder ?? "no entity")" }

  func freeze() {
    for element in elements { element.freeze() }
    ownPredicate = ownPredicate?.parsed
    isFrozen = true
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
