public import Foundation

/// A to-one relationship in a model that is described in Swift.
public struct ModelToOne<Object: NSManagedObject, Destination: NSManagedObject> {
  let part: ModelPart

  /// Describes the relationship of an optional property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - inverse: The property that leads back, or `nil`.
  ///   - deleteRule: What happens to the destination when the object is deleted.
  ///   - isOptional: Whether it may lead to nothing when it is saved.
  ///   - configure: Sets values for which there is no parameter.
  public init(
    _ keyPath: KeyPath<Object, Destination?>,
    inverse: PartialKeyPath<Destination>? = nil,
    deleteRule: NSDeleteRule = .nullifyDeleteRule,
    isOptional: Bool = true,
    configure: ((NSRelationshipDescription) -> Void)? = nil
  ) {
    part = .relationship(
      PropertyProbe.name(of: keyPath),
      of: Object.self,
      to: Destination.self,
      inverse: inverse
    ) {
      $0.maxCount = 1
      $0.minCount = isOptional ? 0 : 1
      $0.isOptional = isOptional
      $0.deleteRule = deleteRule
      configure?($0)
    }
  }
}

/// A to-many relationship in a model that is described in Swift.
public struct ModelToMany<Object: NSManagedObject, Destination: NSManagedObject> {
  let part: ModelPart

  /// Describes the relationship of a property that is a Swift set.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - inverse: The property that leads back, or `nil`.
  ///   - deleteRule: What happens to the members when the object is deleted.
  ///   - configure: Sets values for which there is no parameter.
  public init(
    _ keyPath: KeyPath<Object, Set<Destination>>,
    inverse: PartialKeyPath<Destination>? = nil,
    deleteRule: NSDeleteRule = .nullifyDeleteRule,
    configure: ((NSRelationshipDescription) -> Void)? = nil
  ) {
    self.init(PropertyProbe.name(of: keyPath), false, inverse, deleteRule, configure)
  }

  /// Describes the relationship of a property that is an optional Swift set.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - inverse: The property that leads back, or `nil`.
  ///   - deleteRule: What happens to the members when the object is deleted.
  ///   - configure: Sets values for which there is no parameter.
  public init(
    _ keyPath: KeyPath<Object, Set<Destination>?>,
    inverse: PartialKeyPath<Destination>? = nil,
    deleteRule: NSDeleteRule = .nullifyDeleteRule,
    configure: ((NSRelationshipDescription) -> Void)? = nil
  ) {
    self.init(PropertyProbe.name(of: keyPath), false, inverse, deleteRule, configure)
  }

  /// Describes the relationship of a property that is an `NSSet`.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - destination: The class of the members.
  ///   - inverse: The property that leads back, or `nil`.
  ///   - deleteRule: What happens to the members when the object is deleted.
  ///   - configure: Sets values for which there is no parameter.
  public init(
    _ keyPath: KeyPath<Object, NSSet?>,
    to destination: Destination.Type,
    inverse: PartialKeyPath<Destination>? = nil,
    deleteRule: NSDeleteRule = .nullifyDeleteRule,
    configure: ((NSRelationshipDescription) -> Void)? = nil
  ) {
    self.init(PropertyProbe.name(of: keyPath), false, inverse, deleteRule, configure)
  }

  /// Describes the ordered relationship of a property that is an `NSOrderedSet`.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - destination: The class of the members.
  ///   - inverse: The property that leads back, or `nil`.
  ///   - deleteRule: What happens to the members when the object is deleted.
  ///   - configure: Sets values for which there is no parameter.
  public init(
    _ keyPath: KeyPath<Object, NSOrderedSet?>,
    to destination: Destination.Type,
    inverse: PartialKeyPath<Destination>? = nil,
    deleteRule: NSDeleteRule = .nullifyDeleteRule,
    configure: ((NSRelationshipDescription) -> Void)? = nil
  ) {
    self.init(PropertyProbe.name(of: keyPath), true, inverse, deleteRule, configure)
  }

  private init(
    _ name: String,
    _ isOrdered: Bool,
    _ inverse: PartialKeyPath<Destination>?,
    _ deleteRule: NSDeleteRule,
    _ configure: ((NSRelationshipDescription) -> Void)?
  ) {
    part = .relationship(name, of: Object.self, to: Destination.self, inverse: inverse) {
      $0.maxCount = 0
      $0.isOptional = true
      $0.isOrdered = isOrdered
      $0.deleteRule = deleteRule
      configure?($0)
    }
  }
}

extension ModelPart {
  fileprivate static func relationship<Object: NSManagedObject, Destination: NSManagedObject>(
    _ name: String,
    of type: Object.Type,
    to destination: Destination.Type,
    inverse: PartialKeyPath<Destination>?,
    configure: @escaping (NSRelationshipDescription) -> Void
  ) -> Self {
    let inverse = inverse.map { PropertyProbe.name(of: $0) }
    return Self { entity, entities in
      let relationship = NSRelationshipDescription()
      relationship.name = name
      configure(relationship)
      entity.properties.append(relationship)
      let end = entities.entity(of: destination, for: "\(type).\(name)")
      relationship.destinationEntity = end
      guard let inverse else { return }
      // Whichever of the two comes second ties them together.
      if let back = end.ownProperties.first(where: { $0.name == inverse })
        as? NSRelationshipDescription
      {
        relationship.inverseRelationship = back
        back.inverseRelationship = relationship
      }
    }
  }
}
