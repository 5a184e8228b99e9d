/// The order in which readers hand a schema over, so that equal models are equal values wherever
/// they were written.
extension ModelSchema {
  /// The same model with entities, properties and templates sorted by name, in code-point order.
  package var canonical: ModelSchema {
    var schema = self
    schema.entities = entities.map(\.canonical).sortedByCodePoints(\.name)
    schema.fetchRequestTemplates = fetchRequestTemplates.sortedByCodePoints(\.name)
    return schema
  }

  /// The model as it is once compiled: without the parts that only the code generator reads, with
  /// predicates as the framework would print them and defaults as values of their types.
  package func compiled() -> ModelSchema {
    var schema = canonical
    schema.entities = schema.entities.map { $0.compiled() }
    schema.fetchRequestTemplates = schema.fetchRequestTemplates.map { $0.compiled() }
    return schema
  }
}

extension EntitySchema {
  fileprivate var canonical: EntitySchema {
    var entity = self
    entity.attributes = attributes.map(\.canonical).sortedByCodePoints(\.name)
    entity.relationships = relationships.sortedByCodePoints(\.name)
    entity.fetchedProperties = fetchedProperties.sortedByCodePoints(\.name)
    return entity
  }

  fileprivate func compiled() -> EntitySchema {
    var entity = self
    entity.codeGeneration = .manual
    if entity.className.isEmpty { entity.className = "NSManagedObject" }
    entity.attributes = attributes.map { $0.compiled() }
    entity.fetchedProperties = fetchedProperties.map { property in
      var property = property
      property.request = property.request.compiled()
      return property
    }
    entity.indexes = indexes.map { $0.compiled() }
    return entity
  }
}

extension AttributeSchema {
  fileprivate var canonical: AttributeSchema {
    var attribute = self
    attribute.elements = elements.map(\.canonical)
    if hasFormerComposites { attribute.elements = attribute.elements.sortedByCodePoints(\.name) }
    return attribute
  }

  fileprivate func compiled() -> AttributeSchema {
    var attribute = self
    attribute.usesScalarValueType = false
    attribute.defaultValue = defaultValue?.converted(to: type)
    if type != .transformable { attribute.customClassName = nil }
    attribute.validations = validations.map { validation in
      var validation = validation
      validation.predicateFormat = ModelFormat.canonical(validation.predicateFormat)
      return validation
    }
    attribute.derivationExpression = derivationExpression.map(DerivationFormat.canonical)
    attribute.derivationFilterFormat = derivationFilterFormat.map(ModelFormat.canonical)
    attribute.elements = elements.map { $0.compiled() }
    return attribute
  }
}

extension FetchRequestSchema {
  fileprivate func compiled() -> FetchRequestSchema {
    var request = self
    request.predicateFormat = predicateFormat.map(ModelFormat.canonical)
    return request
  }
}

extension FetchIndexSchema {
  fileprivate func compiled() -> FetchIndexSchema {
    var index = self
    index.partialPredicateFormat = partialPredicateFormat.map(ModelFormat.canonical)
    return index
  }
}
