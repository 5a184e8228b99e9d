import CoreDataModel

/// Models for these tests, written as short as their pictures.
extension ModelSchema {
  static func model(_ entities: EntitySchema...) -> ModelSchema {
    ModelSchema(entities: entities.sorted { $0.name < $1.name })
  }
}

extension EntitySchema {
  static func entity(
    _ name: String,
    below parent: String? = nil,
    _ attributes: [AttributeSchema] = [],
    _ relationships: [RelationshipSchema] = []
  ) -> EntitySchema {
    var entity = EntitySchema(name: name, className: name)
    entity.superentityName = parent
    entity.attributes = attributes
    entity.relationships = relationships
    return entity
  }

  func with(_ change: (inout EntitySchema) -> Void) -> EntitySchema {
    var copy = self
    change(&copy)
    return copy
  }
}

extension AttributeSchema {
  static func text(_ name: String) -> AttributeSchema {
    AttributeSchema(name: name, type: .string)
  }

  static func attribute(_ name: String, _ type: AttributeType) -> AttributeSchema {
    AttributeSchema(name: name, type: type)
  }

  static func derived(
    _ name: String,
    _ type: AttributeType,
    from expression: String
  ) -> AttributeSchema {
    var attribute = AttributeSchema(name: name, type: type)
    attribute.derivationExpression = expression
    return attribute
  }
}

extension RelationshipSchema {
  static func one(_ name: String, _ destination: String, back: String? = nil) -> Self {
    RelationshipSchema(name: name, destinationName: destination, inverseName: back)
  }

  static func many(
    _ name: String,
    _ destination: String,
    back: String? = nil,
    ordered: Bool = false
  ) -> Self {
    var relationship = RelationshipSchema(
      name: name,
      destinationName: destination,
      inverseName: back
    )
    relationship.maxCount = 0
    relationship.isOrdered = ordered
    return relationship
  }
}

extension ModelSchema {
  /// Folders in folders, notes with tags, and things attached to notes.
  static let notes = ModelSchema.model(
    .entity(
      "Folder",
      [.text("name")],
      [
        .one("parent", "Folder", back: "children"),
        .many("children", "Folder", back: "parent", ordered: true),
        .many("notes", "Note", back: "folder"),
      ]
    ),
    .entity(
      "Note",
      [.text("title"), .attribute("stars", .integer16), .attribute("createdAt", .date)],
      [
        .one("folder", "Folder", back: "notes"),
        .many("attachments", "Attachment", back: "note", ordered: true),
        .many("tags", "Tag", back: "notes", ordered: true),
        .many("links", "Note", back: "links"),
      ]
    ),
    .entity("Tag", [.text("label")], [.many("notes", "Note", back: "tags")]),
    .entity(
      "Attachment",
      [.text("name")],
      [.one("note", "Note", back: "attachments"), .one("preview", "Attachment")]
    ),
    .entity("Drawing", below: "Attachment", [.text("caption")]),
    .entity("audio", below: "Attachment", [.text("caption"), .attribute("length", .double)])
  )
}
