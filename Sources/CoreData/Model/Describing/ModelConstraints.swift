/// Attributes whose values must be unique together, in a model that is described in Swift.
public struct ModelUnique<Object: NSManagedObject> {
  let part: ModelPart

  /// Describes a uniqueness constraint.
  ///
  /// - Parameter keyPaths: The properties. Their values must be unique together.
  public init(_ keyPaths: PartialKeyPath<Object>...) {
    let names = keyPaths.map { PropertyProbe.name(of: $0) }
    part = ModelPart { entity, _ in entity.uniquenessConstraints.append(names) }
  }
}

/// An index in a model that is described in Swift.
public struct ModelIndex<Object: NSManagedObject> {
  let part: ModelPart

  /// Describes an index over properties of the entity, in ascending order.
  ///
  /// - Parameters:
  ///   - name: The index's name.
  ///   - keyPaths: The properties, described before the index.
  public init(_ name: String, _ keyPaths: PartialKeyPath<Object>...) {
    let names = keyPaths.map { PropertyProbe.name(of: $0) }
    part = ModelPart { entity, _ in
      let elements = names.map { property in
        guard let property = entity.propertiesByName[property] else {
          stop(
            "the index \(name) speaks of \(entity.name ?? "").\(property); describe that before the index"
          )
        }
        return NSFetchIndexElementDescription(property: property, collationType: .binary)
      }
      entity.indexes.append(NSFetchIndexDescription(name: name, elements: elements))
    }
  }
}
