import CoreDataPredicates
import Foundation

/// Which objects belong to results, in which order, and in which section: a request as it was when
/// it was fetched.
struct ResultsRule {
  let request: NSFetchRequest<NSManagedObject>
  let sectioning: Sectioning
  unowned(unsafe) let layout: EntityLayout
  private let predicate: NSPredicate?
  /// The value that the predicate demands of one property; `nil` if it does not demand one, and with an offset,
  /// because objects that leave matter then without being among the results.
  let demand: DemandedValue?
  private let sortDescriptors: [NSSortDescriptor]
  private let stores: Set<StoreNumber>?

  /// Whether the store computes values of such objects when they are saved.
  let hasDerivedValues: Bool

  /// The value that puts an object into its section.
  enum Sectioning {
    /// One section without a name has all.
    case none
    case keyPath(String)
    /// Any value, as a Swift key path gives it.
    case value((NSManagedObject) -> AnyHashable)
  }

  init(
    _ request: NSFetchRequest<NSManagedObject>,
    of layout: EntityLayout,
    _ sectioning: Sectioning
  ) {
    self.request = request
    self.layout = layout
    self.sectioning = sectioning
    let tree = (request.predicate?.tree).map { ConstantAffinity(layout).fitting($0) }
    predicate = tree.map { NSPredicate.of($0) }
    demand = request.fetchOffset > 0 ? nil : tree.flatMap { DemandedValue(in: $0, of: layout) }
    sortDescriptors = request.sortDescriptors ?? []
    hasDerivedValues = layout.description.hasDerivedValues
    stores = request.affectedStores.map { Set($0.map(\.number)) }
  }

  var hasSections: Bool {
    if case .none = sectioning { false } else { true }
  }

  /// Whether the request asks for a part of what matches, so that memory alone cannot answer it.
  var hasRange: Bool { request.fetchLimit > 0 || hasOffset }

  /// Whether objects precede the results, so that all results move if one of those leaves.
  var hasOffset: Bool { request.fetchOffset > 0 }
}

// MARK: - Belonging

extension ResultsRule {
  /// Whether the object is of the entity and the stores that are asked for.
  func concerns(_ object: NSManagedObject) -> Bool {
    let numbers = request.includesSubentities ? layout.numbers : layout.number...layout.number
    guard object.layout.model === layout.model, numbers.contains(object.layout.number) else {
      return false
    }
    return object.belongs(to: stores)
  }

  /// Whether the object belongs to the results by its values in memory; fires a fault.
  func admits(_ object: NSManagedObject) -> Bool {
    object.canBeJudged && predicate?.evaluate(with: object) ?? true
  }
}

extension NSManagedObject {
  /// Whether the object has values that a predicate can be asked of; fires a fault.
  var canBeJudged: Bool {
    if isFault, managedObjectContext != nil { fireFault() }
    switch life {
    case .detached, .fault, .deleted: return false
    case .clean, .inserted, .updated: return true
    }
  }
}

// MARK: - Order

extension ResultsRule {
  /// Whether the first object precedes the second; false if no descriptor distinguishes them.
  func precedes(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    one.precedes(other, by: sortDescriptors)
  }

  /// The objects in order; those that no descriptor distinguishes stay in theirs.
  func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    objects.sorted(by: sortDescriptors)
  }
}

// MARK: - Sections

extension ResultsRule {
  /// The key that distinguishes a section from others, and its name.
  struct SectionTitle: Hashable {
    let key: AnyHashable
    let name: String
  }

  func section(of object: NSManagedObject) -> SectionTitle {
    switch sectioning {
    case .none:
      return SectionTitle(key: "", name: "")
    case .keyPath(let path):
      let name = Self.name(for: object.value(forKeyPath: path))
      return SectionTitle(key: name, name: name)
    case .value(let value):
      let key = value(object)
      return SectionTitle(key: key, name: Self.name(for: key.base))
    }
  }

  /// A value's description, as Objective-C gives it: numbers without `.0`, truth as 1 or 0.
  private static func name(for value: Any?) -> String {
    switch value {
    case nil: return ""
    case let text as String: return text
    case let number as NSNumber:
      let real = number.doubleValue
      if number is NSDecimalNumber || real != real.rounded() || real.magnitude >= 1e15 {
        return number.description
      }
      return "\(number.int64Value)"
    case let object as NSManagedObject: return object.objectID.description
    case let value?: return unwrapped(value).map { "\($0)" } ?? ""
    }
  }

  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }
}

extension NSEntityDescription {
  fileprivate var hasDerivedValues: Bool {
    properties.contains { $0 is NSDerivedAttributeDescription }
      || subentities.contains { $0.hasDerivedValues }
  }
}
