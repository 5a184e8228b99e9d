import CoreDataPredicates

/// A description of the properties that are read from objects, and of the relationships that are followed.
///
/// ```swift
/// let shape = ObjectShape("title", "stars", "folder.name")
///   .identity(as: "id")
///   .following("tags", as: ObjectShape("name"))
/// ```
///
/// With the model's classes, key paths say the same, and the compiler checks them:
///
/// ```swift
/// let shape = ObjectShape(of: Note.self, \.title, \.stars, \.folder?.name)
///   .following("tags", as: ObjectShape("name"))
/// ```
///
/// Only what the shape names is read. A shape is a tree, so circles of relationships in the model do not matter.
public struct ObjectShape: Hashable, Sendable {
  /// The key paths of single values, in the order in which they are written.
  private(set) var keyPaths: [Spelling]
  /// The relationships that are followed, each with the shape of its objects.
  private(set) var relationships: [Relationship] = []
  /// The name under which an object's URI is written.
  private(set) var identityName: String?

  struct Relationship: Hashable, Sendable {
    let name: Spelling
    let shape: ObjectShape
  }

  /// Creates a shape with values of an object.
  ///
  /// - Parameter keyPaths: Names of attributes, or key paths that lead to one through to-one relationships,
  ///   such as `folder.name`, or to an element of a composite attribute, such as `place.latitude`. The key path is
  ///   also the name of the value.
  public init(_ keyPaths: String...) {
    self.init(keyPaths)
  }

  /// Creates a shape with values of an object.
  ///
  /// - Parameter keyPaths: Names of attributes, or key paths to them; see ``init(_:)-(String...)``.
  public init(_ keyPaths: [String]) {
    self.keyPaths = keyPaths.map { .text($0) }
  }

  /// Creates a shape with values of an object, by key paths of its class.
  ///
  /// The name of a value is the key path as it is written with strings: `\.folder?.name` is `folder.name`. The name is
  /// found when the shape is used, because the class needs a model for that.
  ///
  /// - Parameters:
  ///   - type: The class of the objects.
  ///   - keyPaths: Key paths of attributes, which may lead through to-one relationships. A computed property must return
  ///     the value of one attribute.
  public init<Object: NSManagedObject>(of type: Object.Type, _ keyPaths: PartialKeyPath<Object>...)
  {
    self.keyPaths = keyPaths.map { .path(Immutable($0)) }
  }

  /// Creates a shape with all attributes of an entity, and with those of related objects.
  ///
  /// Transient attributes are left out, and attributes that are stored with a transformer. Of a composite attribute,
  /// each element is a value, as in `place.latitude`.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - depth: How many relationships are followed one after another, 0 for none. Values up to 8 are
  ///     accepted; a greater one counts as 8. An inverse is not followed back.
  public init(allOf entity: NSEntityDescription, depth: Int = 0) {
    self.init(allOf: entity, depth: min(max(depth, 0), 8), except: nil)
  }

  private init(allOf entity: NSEntityDescription, depth: Int, except inverse: String?) {
    keyPaths = entity.attributesByName.values
      .filter { !$0.isTransient }.flatMap(\.pathsOfValues).sorted().map { .text($0) }
    guard depth > 0 else { return }
    for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where name != inverse && !relationship.isTransient {
      guard let destination = relationship.destinationEntity else { continue }
      relationships.append(
        Relationship(
          name: .text(name),
          shape: ObjectShape(
            allOf: destination,
            depth: depth - 1,
            except: relationship.inverseRelationship?.name
          )
        )
      )
    }
  }

  /// Adds a relationship, whose object or objects are written with a shape of their own.
  ///
  /// - Parameters:
  ///   - relationship: The name of the relationship. A to-many relationship becomes a list, in its order if it is
  ///     ordered, else in the order in which its objects were first saved.
  ///   - shape: The shape of the objects.
  /// - Returns: The shape with the relationship.
  public func following(_ relationship: String, as shape: ObjectShape) -> ObjectShape {
    var copy = self
    copy.relationships.append(Relationship(name: .text(relationship), shape: shape))
    return copy
  }

  /// Adds a relationship, whose object or objects are written with a shape of their own.
  ///
  /// - Parameters:
  ///   - relationship: The key path of the relationship; see ``following(_:as:)-(String,_)``.
  ///   - shape: The shape of the objects.
  /// - Returns: The shape with the relationship.
  public func following<Object: NSManagedObject>(
    _ relationship: PartialKeyPath<Object>,
    as shape: ObjectShape
  ) -> ObjectShape {
    var copy = self
    copy.relationships.append(Relationship(name: .path(Immutable(relationship)), shape: shape))
    return copy
  }

  /// Adds the URI of the object.
  ///
  /// - Parameter name: The name under which it is written.
  /// - Returns: The shape with the URI.
  public func identity(as name: String) -> ObjectShape {
    var copy = self
    copy.identityName = name
    return copy
  }
}

extension ObjectShape {
  /// The name of a property, or a key path that leads to it.
  enum Spelling: Hashable, Sendable {
    case text(String)
    case path(PropertyRecorder.Path)

    /// The key path as text.
    ///
    /// - Throws: 134091 if a Swift key path does not lead to a property of the model.
    func name(of entity: String?) throws -> String {
      switch self {
      case .text(let text): return text
      case .path(let path):
        let root = type(of: path.value).rootType as? NSManagedObject.Type
        guard let name = root?.name(of: path.value) else {
          throw ShapeFailure.namelessKeyPath("\(path.value)", entity: entity).error
        }
        return name
      }
    }
  }
}

extension NSAttributeDescription {
  /// The key paths of the values that can be encoded, from the attribute's owner.
  fileprivate var pathsOfValues: [String] {
    if attributeType == .transformableAttributeType { return [] }
    guard let composite = self as? NSCompositeAttributeDescription else { return [name] }
    return composite.elements.flatMap { element in
      element.pathsOfValues.map { "\(composite.name).\($0)" }
    }
  }
}
