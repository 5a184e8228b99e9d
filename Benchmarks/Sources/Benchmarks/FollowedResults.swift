import CoreData

/// The cost of an event for a fetched results controller, over many objects in order.
///
///     Scripts/benchmark results [count]
///
/// An event is a change and its end; the same events are timed without a controller too.
struct FollowedResults {
  let count: Int
  let model: NSManagedObjectModel
  private let events = 1000

  init(count: Int, model: NSManagedObjectModel) {
    self.count = count
    self.model = model
  }

  func run() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    for number in 0..<count {
      let item = Item(context: context)
      item.i1 = Int64(number) * 2
      item.i3 = Int16(number * 100 / count)
    }
    try context.save()
    print("\(count) objects, \(events) events; microseconds for each")
    try report("by i1", context, sections: nil, ["i1"])
    try report("by i3 and i1, in 100 sections", context, sections: "i3", ["i3", "i1"])
  }

  private func report(
    _ name: String,
    _ context: NSManagedObjectContext,
    sections: String?,
    _ keys: [String]
  ) throws {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: sections,
      cacheName: nil
    )
    let items = try context.fetch(request)
    for (followed, words) in [(false, "not followed"), (true, "followed")] {
      let counter = Counter()
      controller.delegate = followed ? counter : nil
      try print("\(name), performFetch: \(µs(.of { try controller.performFetch() }, 1))")
      // The first event makes what later ones find.
      change(items[0], context)
      var number = 0
      func each(_ work: (Item, Int) -> Void) -> String {
        µs(
          .of {
            for _ in 0..<events {
              number += 7919
              work(items[number % count], number)
              context.processPendingChanges()
            }
          },
          events
        )
      }
      print("\(name), \(words)")
      print("  update", each { item, number in item.i2 = Int32(number % 1000) })
      print("  move  ", each { item, number in item.i1 = Int64(number * 31 % (2 * count)) | 1 })
      var made: [Item] = []
      print(
        "  insert",
        each { _, number in
          let item = Item(context: context)
          item.i1 = Int64(number % (2 * count)) | 1
          made.append(item)
        }
      )
      var rest = made[...]
      print("  delete", each { _, _ in rest.popFirst().map(context.delete) })
      if followed { print("  told of \(counter.count) changes") }
      context.rollback()
    }
  }

  private func change(_ item: Item, _ context: NSManagedObjectContext) {
    item.i2 &+= 1
    context.processPendingChanges()
  }

  private func µs(_ sample: Sample, _ times: Int) -> String {
    String(format: "%10.1f µs", sample.seconds * 1e6 / Double(times))
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
