import CoreData

/// The time of lightweight migrations of a store, and its growth with size.
///
///     Scripts/benchmark migration [count]
///
/// Each change is timed at a tenth of the rows and at all of them: a change of descriptions alone takes the same time,
/// one that touches rows ten times as long. A plain UPDATE of every row is there to compare.
struct MigrationSpeed {
  let count: Int

  func run() throws {
    print("notes in folders; milliseconds with \(count / 10) and with \(count) rows")
    for change in Change.allCases {
      let times = try [count / 10, count].map { try time(change, $0) }
      print(
        change.name.padding(toLength: 60, withPad: " ", startingAt: 0)
          + String(
            format: "%10.1f %10.1f   plain %10.1f",
            times[0].ours,
            times[1].ours,
            times[1].plain
          )
      )
    }
  }

  private enum Change: String, CaseIterable {
    case optional, renamed, entityBehind, defaultValue, entityBefore

    var name: String {
      switch self {
      case .optional: "an optional attribute"
      case .renamed: "an attribute renamed"
      case .entityBehind: "an entity behind all others"
      case .defaultValue: "an attribute with a default value"
      case .entityBefore: "an entity before all others, so that numbers move"
      }
    }
  }

  private func time(_ change: Change, _ rows: Int) throws -> (ours: Double, plain: Double) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Notes.sqlite")
    try open(file, Self.model(nil)) { context in
      var number = 0
      let request = NSBatchInsertRequest(entityName: "Note") { (row: NSMutableDictionary) in
        number += 1
        row["title"] = "a note with the number \(number)"
        row["stars"] = number % 5
        return number > rows
      }
      try context.execute(request)
    }
    let model = Self.model(change)
    let ours = try Sample.of { try open(file, model) { _ in } }
    let plain = PlainSQLite(path: file.path)
    let update = Sample.of { plain.run("UPDATE ZNOTE SET Z_ENT = Z_ENT + 0") }
    return (ours.seconds * 1000, update.seconds * 1000)
  }

  private func open(
    _ file: URL,
    _ model: NSManagedObjectModel,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
      ]
    )
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    try body(context)
    try coordinator.remove(store)
  }
}

// MARK: - The models

extension MigrationSpeed {
  private static func model(_ change: Change?) -> NSManagedObjectModel {
    let (folder, note) = (entity("Folder"), entity("Note"))
    let (notes, toFolder) = (NSRelationshipDescription(), NSRelationshipDescription())
    (notes.name, notes.destinationEntity, notes.inverseRelationship) = ("notes", note, toFolder)
    (toFolder.name, toFolder.destinationEntity) = ("folder", folder)
    (toFolder.inverseRelationship, toFolder.maxCount) = (notes, 1)
    folder.properties = [attribute("name", .stringAttributeType), notes]
    let title = attribute(change == .renamed ? "heading" : "title", .stringAttributeType)
    title.renamingIdentifier = "title"
    note.properties = [title, attribute("stars", .integer16AttributeType), toFolder]
    let model = NSManagedObjectModel()
    model.entities = [folder, note]
    switch change {
    case .optional:
      note.properties.append(attribute("subtitle", .stringAttributeType))
    case .defaultValue:
      let pages = attribute("pages", .integer32AttributeType)
      pages.defaultValue = 1
      note.properties.append(pages)
    case .entityBefore:
      model.entities.append(entity("Attachment"))
    case .entityBehind:
      model.entities.append(entity("Tag"))
    case .renamed, nil:
      break
    }
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = [attribute("name", .stringAttributeType)]
    return entity
  }

  private static func attribute(
    _ name: String,
    _ type: NSAttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }
}
