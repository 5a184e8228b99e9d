import CoreDataModel
import CoreDataPredicates
public import Foundation
import Synchronization

/// A description of one element of an index: a property, its direction and the type of the index.
///
/// An element of a model that is in use cannot be changed: setting a property stops the program.
public final class NSFetchIndexElementDescription: NSObject, NSCopying, FrozenWithModel, Sendable {
  /// The type of the index: `.binary` for values in order, `.rTree` for places.
  ///
  /// An index with `.rTree` has one to five elements, a numeric attribute for each dimension. PostgreSQL stores do not
  /// create it.
  public var collationType: NSFetchIndexElementType {
    get { parts.withLock { $0.collation } }
    set {
      willChange()
      parts.withLock { $0.collation = newValue }
    }
  }
  /// A Boolean value that indicates whether the element is in ascending order.
  ///
  /// The default is `true`.
  public var isAscending: Bool {
    get { parts.withLock { $0.isAscending } }
    set {
      willChange()
      parts.withLock { $0.isAscending = newValue }
    }
  }
  /// The index that contains the element, or `nil` before it is added to one.
  public internal(set) var indexDescription: NSFetchIndexDescription? {
    get { parts.withLock { $0.index } }
    set { parts.withLock { $0.index = newValue } }
  }

  var isFrozen: Bool { parts.withLock { $0.isFrozen } }
  private let parts: Mutex<Parts>
  private let subject: Subject

  /// A property found by name in the index's entity, or an expression.
  private enum Subject {
    case property(NSPropertyDescription)
    case name(String)
    case expression(String)
  }

  private struct Parts {
    var collation: NSFetchIndexElementType
    var isAscending = true
    weak var index: NSFetchIndexDescription?
    var isFrozen = false
  }

  /// Creates an element of an index.
  ///
  /// - Parameters:
  ///   - property: An attribute or relationship of the entity, or an expression description.
  ///   - collationType: The type of the index.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    subject = .property(property)
    parts = Mutex(Parts(collation: collationType))
    super.init()
  }

  private init(_ subject: Subject, collation: NSFetchIndexElementType, isAscending: Bool) {
    self.subject = subject
    parts = Mutex(Parts(collation: collation, isAscending: isAscending))
    super.init()
  }
}

/// The types of indexes, with the raw values of Apple's framework.
public enum NSFetchIndexElementType: UInt, Sendable, CaseIterable {
  /// An index that is ordered by the values.
  case binary = 0
  /// An index of ranges in several dimensions, such as places on a map.
  case rTree = 1
}

extension NSFetchIndexElementDescription {
  /// The indexed property, or the description of the indexed expression.
  public var property: NSPropertyDescription? {
    switch subject {
    case .property(let property):
      return property
    case .name(let name):
      return indexDescription?.entity?.propertiesByName[name]
    case .expression(let format):
      let description = NSExpressionDescription()
      description.name = format
      description.expression = NSExpression(format: format)
      return description
    }
  }

  /// The name of the indexed property, or the format of the indexed expression.
  public var propertyName: String? {
    switch subject {
    case .property(let property): property.name
    case .name(let name): name
    case .expression(let format): format
    }
  }

  /// Returns a copy of the element.
  ///
  /// The copy looks up its property by name in the entity to which it is added.
  ///
  /// - Parameter zone: Ignored.
  /// - Returns: A new element.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copied: Subject =
      switch subject {
      case .property(let property) where !(property is NSExpressionDescription):
        .name(property.name)
      case .property, .name, .expression: subject
      }
    return NSFetchIndexElementDescription(
      copied,
      collation: collationType,
      isAscending: isAscending
    )
  }

  var title: String {
    "the element \(propertyName ?? "") of \(indexDescription?.title ?? "no index")"
  }

  func freeze() {
    parts.withLock { $0.isFrozen = true }
  }
}

// MARK: - Schema

extension NSFetchIndexElementDescription {
  convenience init(_ schema: FetchIndexSchema.Element) {
    let subject: Subject =
      switch schema.subject {
      case .property(let name): .name(name)
      case .expression(let format): .expression(format)
      }
    let collation: NSFetchIndexElementType =
      switch schema.collation {
      case .binary: .binary
      case .rTree: .rTree
      }
    self.init(subject, collation: collation, isAscending: schema.isAscending)
  }

  var schema: FetchIndexSchema.Element {
    let collation: FetchIndexSchema.Collation =
      switch collationType {
      case .binary: .binary
      case .rTree: .rTree
      }
    return FetchIndexSchema.Element(
      schemaSubject,
      collation: collation,
      isAscending: isAscending
    )
  }

  private var schemaSubject: FetchIndexSchema.Subject {
    switch subject {
    case .property(let property as NSExpressionDescription):
      .expression(property.expression?.description ?? property.name)
    case .property(let property): .property(property.name)
    case .name(let name): .property(name)
    case .expression(let format): .expression(format)
    }
  }
}
