import CoreDataModel

/// The names under which a model's composites are written.
///
/// A schema has the elements of a composite with each attribute, and a model file has them once, by a
/// name: attributes of equal elements share a composite, named after the first of them.
struct CompositeNames {
  private(set) var all: [(name: String, elements: [AttributeSchema])] = []

  init(of schema: ModelSchema) {
    for entity in schema.entities { add(entity.attributes) }
  }

  private mutating func add(_ attributes: [AttributeSchema]) {
    for attribute in attributes where attribute.type == .composite {
      // Those inside come first, so that the order does not depend on who contains them.
      add(attribute.elements)
      guard name(of: attribute.elements) == nil else { continue }
      all.append((unusedName(for: attribute), attribute.elements))
    }
  }

  func name(of elements: [AttributeSchema]) -> String? {
    all.first { $0.elements == elements }?.name
  }

  private func unusedName(for attribute: AttributeSchema) -> String {
    let stem = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
    let taken = Set(all.map(\.name))
    return ([stem] + (2...(all.count + 2)).map { "\(stem)\($0)" }).first { !taken.contains($0) }
      ?? stem
  }
}

extension SchemaWriter {
  func compositeName(of attribute: AttributeSchema) -> String? {
    composites.name(of: attribute.elements)
  }
}
