import CoreData

/// Notes in folders, with a relationship of every kind.
enum SimulatedModel {
  /// The models of a program's versions, one after another.
  ///
  /// In the second a note's title is called its heading and its origin its source, a note has a colour, and a place on a
  /// shelf.
  static let versions: [NSManagedObjectModel] = [make(), makeSecond()]

  static var model: NSManagedObjectModel { versions[0] }

  private static func makeSecond() -> NSManagedObjectModel {
    let model = make()
    guard let note = model.entitiesByName["Note"] else { return model }
    for (old, new) in [("title", "heading"), ("origin", "source")] {
      note.propertiesByName[old]?.renamingIdentifier = old
      note.propertiesByName[old]?.name = new
    }
    note.properties.append(attribute("colour", .stringAttributeType))
    let shelf = entity("Shelf", ["key"])
    join(note, "shelf", shelf, "notes", .toOne, .set, .nullifyDeleteRule, .nullifyDeleteRule)
    model.entities.append(shelf)
    return model
  }

  private static func make() -> NSManagedObjectModel {
    let folder = entity("Folder", ["key", "title"])
    let note = entity("Note", ["key", "title"])
    let list = entity("Checklist", ["items"])
    let tag = entity("Tag", ["name"])
    let label = entity("Label", ["key", "title"])
    let bin = entity("Bin", ["key"])
    let deed = entity("Deed", ["note", "tag", "text"])
    for name in ["left", "right"] {
      note.properties.append(attribute(name, .integer64AttributeType))
    }
    note.subentities = [list]
    tag.uniquenessConstraints = [["name"]]

    join(
      note,
      "folder",
      folder,
      "notes",
      .toOne,
      .orderedSet,
      .nullifyDeleteRule,
      .cascadeDeleteRule
    )
    note.relationshipsByName["folder"]?.isOptional = false
    join(note, "origin", note, "copies", .toOne, .set, .nullifyDeleteRule, .nullifyDeleteRule)
    join(note, "label", label, "notes", .toOne, .set, .nullifyDeleteRule, .denyDeleteRule)
    join(folder, "cover", note, "covers", .toOne, .toOne, .nullifyDeleteRule, .nullifyDeleteRule)
    join(note, "tags", tag, "notes", .set, .set, .nullifyDeleteRule, .denyDeleteRule)
    join(
      folder,
      "pinned",
      note,
      "pinnedIn",
      .orderedSet,
      .set,
      .nullifyDeleteRule,
      .nullifyDeleteRule
    )
    let related = relationship("related", note, .set, .nullifyDeleteRule)
    note.properties.append(related)
    related.inverseRelationship = related
    bin.properties.append(relationship("kept", note, .set, .nullifyDeleteRule))
    bin.properties.append(relationship("queue", note, .orderedSet, .nullifyDeleteRule))

    let model = NSManagedObjectModel()
    model.entities = [folder, note, list, tag, label, bin, deed]
    return model
  }

  private enum Kind {
    case toOne
    case set
    case orderedSet
  }

  private static func entity(_ name: String, _ texts: [String]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = "NSManagedObject"
    entity.properties = texts.map { attribute($0, .stringAttributeType) }
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  private static func relationship(
    _ name: String,
    _ destination: NSEntityDescription,
    _ kind: Kind,
    _ rule: NSDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = kind == .toOne ? 1 : 0
    relationship.isOrdered = kind == .orderedSet
    relationship.isOptional = true
    relationship.deleteRule = rule
    return relationship
  }

  private static func join(
    _ one: NSEntityDescription,
    _ name: String,
    _ other: NSEntityDescription,
    _ inverse: String,
    _ kind: Kind,
    _ inverseKind: Kind,
    _ rule: NSDeleteRule,
    _ inverseRule: NSDeleteRule
  ) {
    let there = relationship(name, other, kind, rule)
    let back = relationship(inverse, one, inverseKind, inverseRule)
    one.properties.append(there)
    other.properties.append(back)
    there.inverseRelationship = back
    back.inverseRelationship = there
  }
}
