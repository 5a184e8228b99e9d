import CoreDataModel
import Foundation

extension ModelSchema {
  /// A compiled schema that uses every field a model archive can hold.
  static var everything: ModelSchema {
    var schema = ModelSchema.notes.changing("Note") { note in
      note.className = "Notebook.Note"
      note.versionHashModifier = "2"
      note.renamingIdentifier = "Memo"
      note.userInfo = ["colour": "red", "size": "3"]
      note.uniquenessConstraints = [["title"], ["stars", "title"]]
      note.attributes = everyAttribute
      note.relationships[0].versionHashModifier = "r"
      note.relationships[0].renamingIdentifier = "drawer"
      note.relationships[0].userInfo = ["a": "b"]
      note.relationships[0].minCount = 1
      note.relationships[0].isOptional = false
      note.relationships[0].deleteRule = .deny
      note.relationships[0].isIndexedBySpotlight = true
      note.relationships[0].isStoredInTruthFile = true
      note.fetchedProperties = [similar]
      note.indexes = [
        FetchIndexSchema(
          name: "byTitle",
          elements: [
            .init(.property("title"), isAscending: false),
            .init(.expression("SELF"), collation: .rTree),
          ],
          partialPredicateFormat: "stars != nil"
        ),
        FetchIndexSchema(name: "byStars", elements: [.init(.property("stars"))]),
      ]
    }
    .changing("Folder") {
      $0.relationships[0].isOrdered = true
      $0.relationships[0].maxCount = 12
      $0.relationships[0].deleteRule = .cascade
    }
    var recent = FetchRequestSchema(
      name: "Recent",
      entityName: "Note",
      predicateFormat: "created > $SINCE"
    )
    recent.sortDescriptors = [
      .init(key: "created", isAscending: false),
      .init(key: "title", selector: "localizedStandardCompare:"),
    ]
    recent.fetchLimit = 5
    recent.fetchOffset = 1
    recent.fetchBatchSize = 20
    recent.includesSubentities = false
    recent.includesPropertyValues = false
    recent.returnsObjectsAsFaults = false
    recent.returnsDistinctResults = true
    recent.resultType = 2
    recent.relationshipKeyPathsForPrefetching = ["folder"]
    schema.fetchRequestTemplates = [FetchRequestSchema(name: "All", entityName: "Item"), recent]
    schema.configurations = ["Cloud": ["Note", "Folder"], "Local": []]
    schema.versionIdentifiers = ["1.0", "Größe"]
    return schema
  }

  private static var everyAttribute: [AttributeSchema] {
    var count = AttributeSchema(name: "count", type: .integer64)
    count.derivationExpression = "count:(tags)"
    count.derivationFilterFormat = "stars > 1"
    var picture = AttributeSchema(name: "picture", type: .binaryData)
    picture.allowsExternalBinaryDataStorage = true
    picture.allowsCloudEncryption = true
    picture.isStoredInTruthFile = true
    var place = AttributeSchema(name: "place", type: .composite)
    place.elements = [
      AttributeSchema(name: "latitude", type: .double),
      AttributeSchema(name: "longitude", type: .double),
    ]
    var shade = AttributeSchema(name: "shade", type: .transformable)
    shade.customClassName = "Colour"
    shade.valueTransformerName = "ColourTransformer"
    var stars = AttributeSchema(name: "stars", type: .integer16)
    stars.isOptional = false
    stars.defaultValue = .integer(-3)
    stars.validations = [
      ValidationSchema(predicateFormat: "SELF >= -3", warning: .code(1620)),
      ValidationSchema(predicateFormat: "SELF <= 5", warning: .message("Too many.")),
    ]
    var title = AttributeSchema(name: "title", type: .string)
    title.defaultValue = .text("Größe")
    title.userInfo = ["key": "value"]
    title.versionHashModifier = "t"
    title.renamingIdentifier = "name"
    title.isIndexedBySpotlight = true
    title.preservesValueInHistoryOnDeletion = true
    var unsaved = AttributeSchema(name: "unsaved", type: .undefined)
    unsaved.isTransient = true
    return [count, picture, place, shade, stars, title, unsaved]
  }

  private static var similar: FetchedPropertySchema {
    var property = FetchedPropertySchema(
      name: "similar",
      request: FetchRequestSchema(
        name: "similar",
        entityName: "Note",
        predicateFormat: "title == $FETCH_SOURCE.title"
      )
    )
    property.isOptional = false
    property.userInfo = ["search": "title"]
    property.versionHashModifier = "f"
    property.renamingIdentifier = "related"
    return property
  }
}
