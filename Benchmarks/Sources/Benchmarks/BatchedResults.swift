import CoreData

/// A fetched results controller over many objects whose values are read in batches.
///
///     Scripts/benchmark batched [count]
///
/// The time to fetch, to show sixty rows in the middle, and to follow another context's save.
struct BatchedResults {
  let count: Int
  let model: NSManagedObjectModel
  private let sectionCount = 100

  init(count: Int, model: NSManagedObjectModel) {
    self.count = count
    self.model = model
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.appendingPathComponent("ours.sqlite")
    )
    try fill(coordinator)
    print("\(count) objects, batches of 60; milliseconds")
    try report("by date", coordinator, sections: nil, ["date"])
    try report(
      "by name, in \(sectionCount) sections",
      coordinator,
      sections: "name",
      ["name", "date"]
    )
  }

  private func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = context(coordinator)
    var number = 0
    let request = NSBatchInsertRequest(entityName: "Item") { (item: NSManagedObject) in
      number += 1
      guard number <= count, let item = item as? Item else { return true }
      item.name = "section \(1000 + number * 7919 % sectionCount)"
      item.date = Date(timeIntervalSinceReferenceDate: Double(number))
      item.title = "the title of item \(number)"
      return false
    }
    try context.execute(request)
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func report(
    _ name: String,
    _ coordinator: NSPersistentStoreCoordinator,
    sections: String?,
    _ keys: [String]
  ) throws {
    for round in 1...3 {
      let context = context(coordinator)
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
      request.fetchBatchSize = 60
      let controller = NSFetchedResultsController(
        fetchRequest: request,
        managedObjectContext: context,
        sectionNameKeyPath: sections,
        cacheName: nil
      )
      let counter = Counter()
      controller.delegate = counter
      let before = Memory.allocated
      let fetching = try Sample.of { try controller.performFetch() }
      let bytes = Memory.allocated - before
      var length = 0
      let middle = count / 2
      let reading = Sample.of {
        for item in (controller.fetchedObjects ?? [])[middle..<middle + 60] {
          length += item.title?.utf8.count ?? 0
        }
      }
      let followed = try (0..<3).map { try merge(from: coordinator, into: context, $0) }
      print(
        String(
          format: "%@, %d: performFetch %.1f, %d bytes for each; 60 rows in the middle %.2f; "
            + "a saved change %@; told of %d, %d sections",
          name,
          round,
          fetching.seconds * 1000,
          bytes / count,
          reading.seconds * 1000,
          followed.map { String(format: "%.2f", $0.seconds * 1000) }.joined(separator: " "),
          counter.count,
          controller.sections?.count ?? 0
        )
      )
    }
  }

  /// Changes one object in another context, and times only what the first has to do about it.
  private func merge(
    from coordinator: NSPersistentStoreCoordinator,
    into context: NSManagedObjectContext,
    _ number: Int
  ) throws -> Sample {
    let other = self.context(coordinator)
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.fetchLimit = 1
    request.fetchOffset = count / 3 + number
    guard let item = try other.fetch(request).first else { return Sample(seconds: 0) }
    item.title = "changed \(number)"
    try other.save()
    let changes = [NSUpdatedObjectsKey: [item.objectID]]
    return .of {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      context.processPendingChanges()
    }
  }

  private final class Counter: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      didChange anObject: Any,
      at indexPath: IndexPath?,
      for type: NSFetchedResultsChangeType,
      newIndexPath: IndexPath?
    ) {
      count += 1
    }
  }
}
