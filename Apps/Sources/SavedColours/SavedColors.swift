import CoreData
import WebServer

/// The grid of saved colours, in the order in which they were saved.
///
/// Safety: everything but the hub is touched on the context's queue only.
final class SavedColors: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  let hub = EventHub()
  private let managedObjectContext: NSManagedObjectContext
  private let fetchedResultsController: NSFetchedResultsController<NamedColorEntity>
  private var savedColors: [NamedColor] = []
  /// Values outlive their entities: what was cut can be pasted.
  private var cutColors: [NamedColor] = []

  init(_ persistence: Persistence) throws {
    managedObjectContext = persistence.managedObjectContext
    let fetchRequest: NSFetchRequest<NamedColorEntity> = NamedColorEntity.fetchRequest()
    fetchRequest.sortDescriptors = [NSSortDescriptor(key: "savedAt", ascending: true)]
    fetchedResultsController = NSFetchedResultsController(
      fetchRequest: fetchRequest,
      managedObjectContext: managedObjectContext,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    super.init()
    fetchedResultsController.delegate = self
    try managedObjectContext.performAndWait {
      try fetchedResultsController.performFetch()
      savedColors = valuesOfEntities
    }
  }

  private var valuesOfEntities: [NamedColor] {
    (fetchedResultsController.fetchedObjects ?? []).map(NamedColorEntity.createInstanceFromEntity)
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    savedColors = valuesOfEntities
    hub.send("colours", cells)
  }
}

// MARK: - What people do

extension SavedColors {
  func all() async -> [ColorCell] {
    await managedObjectContext.perform { self.savedColors.map(ColorCell.init) }
  }

  func add(name: String, color: Color) async throws -> ColorCell {
    try await managedObjectContext.perform {
      var namedColor = NamedColor(name: name.trimmed, color: color)
      try NamedColorEntity.createInManagedObjectContext(self.managedObjectContext, &namedColor)
        .saveOrExplain()
      return ColorCell(namedColor)
    }
  }

  /// Renames a colour: setting the name saves it.
  func rename(_ id: String, to name: String) async throws -> ColorCell {
    try await managedObjectContext.perform {
      var namedColor = try self.found(id)
      namedColor.name = name.trimmed
      try explaining { try namedColor.saving.get() }
      return ColorCell(namedColor)
    }
  }

  /// Takes a colour out of the grid; the difference to what was saved is deleted.
  func cut(_ id: String) async throws {
    try await managedObjectContext.perform {
      let cut = try self.found(id)
      let colors = self.savedColors.filter { $0 != cut }
      try self.delete(missingFrom: colors)
    }
  }

  /// Saves a colour again that was cut.
  func paste(_ id: String) async throws -> ColorCell {
    try await managedObjectContext.perform {
      guard let place = self.cutColors.firstIndex(where: { $0.uuid.text == id }) else {
        throw Problem(410, "This colour can no longer be brought back.")
      }
      var namedColor = self.cutColors[place]
      try NamedColorEntity.createInManagedObjectContext(self.managedObjectContext, &namedColor)
        .saveOrExplain()
      self.cutColors.remove(at: place)
      return ColorCell(namedColor)
    }
  }

  private func delete(missingFrom colors: [NamedColor]) throws {
    let missing = savedColors.filter { !colors.contains($0) }
    for color in missing {
      if let entityRef = color.entityRef { managedObjectContext.delete(entityRef) }
    }
    do {
      try managedObjectContext.save()
    } catch {
      managedObjectContext.rollback()
      throw error
    }
    for var color in missing {
      color.entityRef = nil
      cutColors.append(color)
    }
    cutColors = cutColors.suffix(20)
  }

  private func found(_ id: String) throws -> NamedColor {
    guard let namedColor = savedColors.first(where: { $0.uuid.text == id }) else {
      throw Problem(404, "This colour is not there any more.")
    }
    return namedColor
  }
}

// MARK: - Pages that follow

extension SavedColors {
  /// The grid now, and whenever it changes.
  func events() async -> AsyncStream<ServerSentEvent> {
    await managedObjectContext.perform {
      let now = ServerSentEvent(name: "colours", orReport: self.cells)
      return self.hub.stream(beginningWith: [now].compactMap(\.self))
    }
  }

  private var cells: [ColorCell] { savedColors.map(ColorCell.init) }
}

/// A colour in the grid, as pages see it.
struct ColorCell: Codable, Equatable, Sendable {
  let id: String
  let name: String
  let color: String

  init(_ namedColor: NamedColor) {
    id = namedColor.uuid.text
    name = namedColor.name
    color = namedColor.color.hex
  }
}

extension NamedColorEntity {
  fileprivate func saveOrExplain() throws { try explaining { try saveContext() } }
}

/// Says in a sentence what the model refuses.
private func explaining(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch let error as CocoaError where (1_550..<1_700).contains(error.code.rawValue) {
    throw Problem(400, "A colour needs a name.")
  }
}

extension UUID {
  /// The id as pages write it.
  var text: String { uuidString.lowercased() }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
