import CoreDataModel

/// One entity while its properties are being found, each in all the forms that it may have.
struct EntityDraft: Sendable {
  let entity: TableFacts.Entity
  /// For each property its forms; the first is used when no hash decides.
  private var properties: [[PropertySchema]] = []
  /// Each the names of properties in upper case.
  private var constraints: [[String]] = []

  init(_ entity: TableFacts.Entity) {
    self.entity = entity
  }

  /// In upper case, as columns are.
  var names: [String] { properties.compactMap { $0.first?.name.uppercased() } }

  mutating func add(_ forms: [PropertySchema]) {
    guard let first = forms.first, !names.contains(first.name.uppercased()) else { return }
    properties.append(forms)
  }

  /// A relationship may be optional or not, and Xcode has written both minimum counts.
  mutating func add(_ relationship: RelationshipSchema) {
    let counts = relationship.isToMany ? [0] : [0, 1]
    add(
      [true, false].flatMap { isOptional in
        counts.map { count in
          var form = relationship
          form.isOptional = isOptional
          form.minCount = count
          return .relationship(form)
        }
      }
    )
  }

  func property(named name: String) -> PropertySchema? {
    properties.compactMap(\.first).first { $0.name.uppercased() == name.uppercased() }
  }

  mutating func remove(_ name: String) {
    // Constraints are kept by names in upper case, as these are.
    constraints.removeAll { $0.contains(name.uppercased()) }
    properties.removeAll { $0.first?.name.uppercased() == name.uppercased() }
  }

  /// Leaves a relationship without one back.
  mutating func removeInverse(of name: String) {
    for place in properties.indices where properties[place].first?.name == name {
      properties[place] = properties[place].map { form in
        guard case .relationship(var relationship) = form else { return form }
        relationship.inverseName = nil
        return .relationship(relationship)
      }
    }
  }

  /// Returns whether there were any.
  mutating func removeConstraints() -> Bool {
    defer { constraints = [] }
    return !constraints.isEmpty
  }

  mutating func addConstraint(_ names: [String]) {
    if Set(names).isSubset(of: self.names) { constraints.append(names) }
  }
}

// MARK: - Ending

extension EntityDraft {
  /// The question to which the version hash may be the answer.
  var guess: EntityGuess {
    var guess = EntityGuess(name: entity.name)
    guess.properties = properties
    guess.constraints = constraintPlaces
    return guess
  }

  private var constraintPlaces: [[Int]] {
    let names = names
    return constraints.map { $0.compactMap { names.firstIndex(of: $0) } }
  }

  func schema(below superentity: String?, _ answer: EntityGuess.Answer?) -> EntitySchema {
    var schema = EntitySchema(name: entity.name)
    schema.superentityName = superentity
    schema.isAbstract = answer?.isAbstract ?? false
    let chosen = answer?.properties ?? properties.compactMap(\.first)
    for property in chosen {
      switch property {
      case .attribute(let attribute): schema.attributes.append(attribute)
      case .relationship(let relationship): schema.relationships.append(relationship)
      case .fetched(let property): schema.fetchedProperties.append(property)
      }
    }
    schema.uniquenessConstraints = constraintPlaces.map { $0.map { chosen[$0].name } }
    return schema
  }
}
