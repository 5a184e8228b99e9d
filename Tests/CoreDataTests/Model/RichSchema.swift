import CoreDataModel
import Foundation

extension ModelSchema {
  /// A model that has something of everything, in the order that readers hand over.
  static var rich: ModelSchema {
    ModelSchema(
      entities: [.folder, .item, .note, .tag],
      configurations: ["Cloud": ["Note", "Folder"], "Local": ["Tag"]],
      fetchRequestTemplates: [.inFolder],
      versionIdentifiers: ["1.0", "first"]
    ).canonical
  }
}

extension EntitySchema {
  fileprivate static var item: EntitySchema {
    var item = EntitySchema(name: "Item")
    item.isAbstract = true
    item.attributes = [AttributeSchema(name: "created", type: .date)]
    item.attributes[0].defaultValue = .date(1_000_000)
    item.userInfo = ["layer": "base"]
    return item
  }

  fileprivate static var note: EntitySchema {
    var note = EntitySchema(name: "Note", className: "Notes.Note")
    note.superentityName = "Item"
    note.attributes = .ofEveryType
    var folder = RelationshipSchema(
      name: "folder",
      destinationName: "Folder",
      inverseName: "notes"
    )
    folder.isOptional = false
    folder.userInfo = ["shown": "yes"]
    var tags = RelationshipSchema(name: "tags", destinationName: "Tag", inverseName: "notes")
    tags.maxCount = 5
    tags.minCount = 1
    tags.isIndexedBySpotlight = true
    note.relationships = [folder, tags]
    var similar = FetchedPropertySchema(name: "similar", request: .similar)
    similar.userInfo = ["search": "title"]
    note.fetchedProperties = [similar]
    note.indexes = [
      FetchIndexSchema(
        name: "byTitle",
        elements: [
          FetchIndexSchema.Element(.property("title")),
          FetchIndexSchema.Element(.property("created"), isAscending: false),
          FetchIndexSchema.Element(.expression("SELF")),
        ],
        partialPredicateFormat: "stars > 2"
      )
    ]
    note.uniquenessConstraints = [["title", "folder"], ["uuid"]]
    note.versionHashModifier = "second"
    note.renamingIdentifier = "Memo"
    note.codeGeneration = .categoryExtension
    return note
  }

  fileprivate static var folder: EntitySchema {
    var folder = EntitySchema(name: "Folder", className: "Folder")
    var notes = RelationshipSchema(name: "notes", destinationName: "Note", inverseName: "folder")
    notes.maxCount = 0
    notes.isOrdered = true
    notes.deleteRule = .cascade
    folder.relationships = [notes]
    var count = AttributeSchema(name: "noteCount", type: .integer64)
    count.derivationExpression = "notes.@count"
    count.derivationFilterFormat = "stars > 2"
    folder.attributes = [count]
    return folder
  }

  fileprivate static var tag: EntitySchema {
    var tag = EntitySchema(name: "Tag")
    var notes = RelationshipSchema(name: "notes", destinationName: "Note", inverseName: "tags")
    notes.maxCount = 0
    notes.deleteRule = .deny
    notes.renamingIdentifier = "memos"
    tag.relationships = [notes]
    return tag
  }
}

extension [AttributeSchema] {
  fileprivate static var ofEveryType: [AttributeSchema] {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var attributes: [AttributeSchema] = [
      attribute("stars", .integer16, .integer(3)),
      attribute("words", .integer32, .integer(-70_000)),
      attribute("bytes", .integer64, .integer(.max)),
      attribute("price", .decimal, Decimal(string: "12.50").map { .decimal($0) }),
      attribute("rank", .double, .real(0.1)),
      attribute("weight", .float, .real(0.5)),
      attribute("title", .string, .text("Untitled")),
      attribute("isPinned", .boolean, .boolean(true)),
      attribute("due", .date, .date(-0.5)),
      attribute("cover", .binaryData, .data(Data([0, 1, 255]))),
      attribute("uuid", .uuid, .uuid(uuid)),
      attribute("link", .uri, .uri("https://example.org/a%20b")),
      attribute("colour", .transformable, nil),
      attribute("scratch", .undefined, nil),
      attribute("place", .composite, nil),
    ]
    attributes[6].isOptional = false
    attributes[6].renamingIdentifier = "heading"
    attributes[6].versionHashModifier = "trimmed"
    attributes[6].isIndexedBySpotlight = true
    attributes[6].isStoredInTruthFile = true
    attributes[6].preservesValueInHistoryOnDeletion = true
    attributes[6].userInfo = ["placeholder": "Title"]
    attributes[6].validations = [
      ValidationSchema(predicateFormat: "length >= 1", warning: .code(1670)),
      ValidationSchema(predicateFormat: "SELF MATCHES \"[A-Z].*\"", warning: .message("No.")),
    ]
    attributes[0].usesScalarValueType = true
    attributes[9].allowsExternalBinaryDataStorage = true
    attributes[9].allowsCloudEncryption = true
    attributes[12].customClassName = "NSColor"
    attributes[12].valueTransformerName = "NSSecureUnarchiveFromData"
    attributes[13].isTransient = true
    attributes[14].elements = [
      attribute("latitude", .double, .real(0)), attribute("longitude", .double, nil),
    ]
    return attributes
  }

  private static func attribute(
    _ name: String,
    _ type: AttributeType,
    _ defaultValue: SchemaValue?
  ) -> AttributeSchema {
    var attribute = AttributeSchema(name: name, type: type)
    attribute.defaultValue = defaultValue
    return attribute
  }
}

extension FetchRequestSchema {
  fileprivate static var inFolder: FetchRequestSchema {
    var request = FetchRequestSchema(
      name: "inFolder",
      entityName: "Note",
      predicateFormat: "folder == $FOLDER and stars>=$STARS"
    )
    request.sortDescriptors = [
      Sort(key: "title", selector: "localizedStandardCompare:"),
      Sort(key: "created", isAscending: false),
    ]
    request.fetchLimit = 20
    request.fetchOffset = 5
    request.fetchBatchSize = 10
    request.includesSubentities = false
    request.returnsDistinctResults = true
    return request
  }

  fileprivate static var similar: FetchRequestSchema {
    FetchRequestSchema(
      name: "fetchRequest",
      entityName: "Note",
      predicateFormat: "title == $FETCH_SOURCE.title"
    )
  }
}
