import Foundation

/// An attribute or a relationship of a schema's entity.
public protocol SchemaProperty: AnyObject, Sendable {
  /// The name of the property.
  var name: String { get }
  /// The name that the property had in the last version of the schema.
  var originalName: String { get }
  /// The Swift type of the property.
  var valueType: Any.Type { get }
  /// Whether the property can be `nil`.
  var isOptional: Bool { get }
  /// Whether the property is an attribute.
  var isAttribute: Bool { get }
  /// Whether the property is a relationship.
  var isRelationship: Bool { get }
  /// Whether the property is in the schema, but not stored.
  var isTransient: Bool { get }
  /// Whether no two models may have the same value.
  var isUnique: Bool { get }
}

extension Schema {
  /// A property of a class, as the macro `@Model` lists it.
  public struct PropertyMetadata {
    /// The name of the property.
    public let name: String
    /// The key path of the property, from which its type is known.
    public let keypath: AnyKeyPath
    /// The initial value in the class's declaration.
    public let defaultValue: Any?
    /// The arguments of `@Attribute` or `@Relationship`.
    public let metadata: (any SchemaProperty)?
    /// Whether the property is a constant, whose value is in the models themselves.
    let isConstant: Bool

    /// Creates the description of a property.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keypath: The key path of the property.
    ///   - defaultValue: The initial value, or `nil` if the declaration does not have one.
    ///   - metadata: The arguments of `@Attribute` or `@Relationship`.
    ///   - isConstant: Whether the property is declared with `let`.
    public init(
      name: String,
      keypath: AnyKeyPath,
      defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil,
      isConstant: Bool = false
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
      self.isConstant = isConstant
    }
  }
}
