import CoreData
import CoreDataWebServer

/// The grid of saved colours, in the order in which they were saved.
actor SavedColors: ManagedObjectActor {
  nonisolated let context: NSManagedObjectContext
  nonisolated let hub: EventHub
  private let fetchedResultsController: NSFetchedResultsController<NamedColorEntity>
  private let follower: Follower
  /// Values outlive their entities: cut colours can be pasted.
  private var cutColors: [NamedColor] = []

  init(_ persistence: Persistence) throws {
    let (context, hub) = (persistence.managedObjectContext, EventHub())
    let fetchRequest: NSFetchRequest<NamedColorEntity> = NamedColorEntity.fetchRequest()
    fetchRequest.sortDescriptors = [NSSortDescriptor(key: "savedAt", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: fetchRequest,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let follower = Follower(hub)
    controller.delegate = follower
    try context.performAndWait { try controller.performFetch() }
    self.context = context
    self.hub = hub
    self.follower = follower
    fetchedResultsController = controller
  }

  private var savedColors: [NamedColor] {
    (fetchedResultsController.fetchedObjects ?? []).map(NamedColorEntity.createInstanceFromEntity)
  }

  private var cells: [ColorCell] { savedColors.map(ColorCell.init) }

  /// Sends the grid to the pages when it has changed.
  private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    private let hub: EventHub

    init(_ hub: EventHub) { self.hub = hub }

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      let entities = (controller.fetchedObjects ?? []).compactMap { $0 as? NamedColorEntity }
      hub.send("colours", entities.map { ColorCell(NamedColorEntity.createInstanceFromEntity($0)) })
    }
  }
}

// MARK: - What people do

extension SavedColors {
  func all() -> [ColorCell] { cells }

  func add(name: String, color: Color) throws -> ColorCell {
    var namedColor = try NamedColor(name: name.asName, color: color)
    try NamedColorEntity.createInManagedObjectContext(context, &namedColor)
      .saveOrExplain()
    return ColorCell(namedColor)
  }

  /// Renames a colour: setting the name saves it.
  func rename(_ id: String, to name: String) throws -> ColorCell {
    var namedColor = try found(id)
    namedColor.name = try name.asName
    try explaining { try namedColor.saving.get() }
    return ColorCell(namedColor)
  }

  /// Takes a colour out of the grid; saved colours that are no longer in it are deleted.
  func cut(_ id: String) throws {
    let cut = try found(id)
    let colors = savedColors.filter { $0 != cut }
    try delete(missingFrom: colors)
  }

  /// Saves a colour again that was cut.
  func paste(_ id: String) throws -> ColorCell {
    guard let place = cutColors.firstIndex(where: { $0.uuid.text == id }) else {
      throw Problem(410, "This colour can no longer be brought back.")
    }
    var namedColor = cutColors[place]
    try NamedColorEntity.createInManagedObjectContext(context, &namedColor)
      .saveOrExplain()
    cutColors.remove(at: place)
    return ColorCell(namedColor)
  }

  private func delete(missingFrom colors: [NamedColor]) throws {
    let missing = savedColors.filter { !colors.contains($0) }
    for color in missing {
      if let entityRef = color.entityRef { context.delete(entityRef) }
    }
    try explaining { try context.saveOrTakeBack() }
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
  func events() -> AsyncStream<ServerSentEvent> {
    let now = ServerSentEvent(name: "colours", orReport: cells)
    return hub.stream(beginningWith: [now].compactMap(\.self))
  }
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

/// Says in a sentence what the model refuses, and that another program was faster.
private func explaining(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch let error as CocoaError where (1_550..<1_700).contains(error.code.rawValue) {
    throw Problem(400, "A colour needs a name.")
  } catch let error as CocoaError where error.code == .managedObjectMerge {
    throw Problem(409, "Another program has changed this meanwhile. Try again.")
  }
}

extension UUID {
  /// The id as pages write it.
  var text: String { uuidString.lowercased() }
}

extension String {
  /// The text as the name of a colour, without the space around it.
  ///
  /// Every open page gets all names whenever one changes, so they have a limit; the page's fields have
  /// the same, and count as this does.
  fileprivate var asName: String {
    get throws {
      let name = trimmingCharacters(in: .whitespacesAndNewlines)
      guard name.utf16.count <= 80 else {
        throw Problem(400, "The name of a colour has at most 80 letters.")
      }
      return name
    }
  }
}
