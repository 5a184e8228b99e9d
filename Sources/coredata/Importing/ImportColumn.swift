import CoreData
import CoreDataModel

/// A column of a file, and what its cells are.
struct ImportColumn {
  let name: String
  /// Nil for a column that is left out.
  let property: PropertyName?
  let kind: Kind

  enum Kind {
    case attribute(AttributeType)
    case relationship(NSEntityDescription)
    /// Nothing that can be imported.
    case other
  }

  init(_ name: String, _ property: String?, of entity: NSEntityDescription, _ schema: ModelSchema) {
    self.name = name
    self.property = property.map { PropertyName(stringValue: $0) }
    kind = property.map { Kind($0, of: entity, schema) } ?? .other
  }
}

extension ImportColumn.Kind {
  fileprivate init(_ property: String, of entity: NSEntityDescription, _ schema: ModelSchema) {
    let relationship = entity.relationshipsByName[property]
    if let relationship, !relationship.isToMany, let target = relationship.destinationEntity {
      self = .relationship(target)
    } else if case .attribute(let attribute)? = schema.property(property, of: entity.name ?? ""),
      attribute.derivationExpression == nil, !attribute.isTransient
    {
      self = .attribute(attribute.type)
    } else {
      self = .other
    }
  }
}
