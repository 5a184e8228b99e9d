import CoreDataModel

// Notes live in folders and carry tags; a checklist is a note with numbered items.

extension ModelSchema {
  static let notes = ModelSchema(entities: [.checklist, .folder, .note, .page, .tag])

  static func with(_ entities: EntitySchema...) -> Self { Self(entities: entities) }
}

extension EntitySchema {
  static let folder = EntitySchema("Folder", .categoryExtension) {
    $0.attributes = [.init(name: "name", type: .string)]
    $0.relationships = [.toMany("notes", "Note")]
  }

  static let note = EntitySchema("Note", .classDefinition) {
    $0.attributes = [
      .init(name: "title", type: .string),
      .init(name: "stars", type: .integer16, scalar: true),
    ]
    $0.relationships = [
      .init(name: "folder", destinationName: "Folder", inverseName: "notes"),
      .toMany("pages", "Page", ordered: true),
      .toMany("tags", "Tag"),
    ]
    $0.fetchedProperties = [
      .init(name: "related", request: .init(name: "related", entityName: "Note"))
    ]
  }

  static let checklist = EntitySchema("Checklist", .classDefinition) {
    $0.superentityName = "Note"
    $0.attributes = [.init(name: "default", type: .boolean, scalar: true)]
  }

  static let page = EntitySchema("Page", .classDefinition) {
    $0.attributes = [.init(name: "text", type: .string)]
  }

  static let tag = EntitySchema("Tag", .manual)

  /// An entity of a class called as itself.
  init(_ name: String, _ mode: CodeGeneration, _ change: (inout Self) -> Void = { _ in }) {
    self.init(name: name, className: name)
    codeGeneration = mode
    change(&self)
  }
}

extension AttributeSchema {
  init(name: String, type: AttributeType, scalar: Bool) {
    self.init(name: name, type: type)
    usesScalarValueType = scalar
  }
}

extension RelationshipSchema {
  static func toMany(_ name: String, _ destination: String, ordered: Bool = false) -> Self {
    var relationship = Self(name: name, destinationName: destination)
    relationship.maxCount = 0
    relationship.isOrdered = ordered
    return relationship
  }
}
