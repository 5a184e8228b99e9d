/// An entity's properties, inherited ones included, in order and by name.
struct PropertyDirectory {
  let properties: [NSPropertyDescription]
  let propertiesByName: [String: NSPropertyDescription]
  let attributesByName: [String: NSAttributeDescription]
  let relationshipsByName: [String: NSRelationshipDescription]

  init(_ properties: [NSPropertyDescription]) {
    self.properties = properties
    propertiesByName = Dictionary(properties.map { ($0.name, $0) }) { _, last in last }
    attributesByName = propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    relationshipsByName = propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }
}
