import CoreData
import CoreDataPostgreSQL

/// The same rows by the framework: one zone, in a coordinator of its own, whose caches are cold.
struct FrameworkItems {
  private let coordinator: NSPersistentStoreCoordinator

  init(_ address: String, zone: String, keepsHistory: Bool = false) throws {
    guard let url = URL(string: address) else { throw CocoaError(.fileReadUnsupportedScheme) }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model.get())
    try coordinator.addPersistentStore(
      ofType: NSPostgreSQLStoreType,
      configurationName: nil,
      at: url,
      options: [NSPostgreSQLZoneOption: zone, NSPersistentHistoryTrackingKey: keepsHistory]
    )
  }

  private static let model = Result<NSManagedObjectModel, any Error> {
    guard let url = Bundle.module.url(forResource: "Items", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { throw CocoaError(.fileReadNoSuchFile) }
    return model
  }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static var all: NSFetchRequest<Item> { NSFetchRequest<Item>(entityName: "Item") }

  /// Opens a connection, so that only the work counts.
  func warm() throws {
    let request = Self.all
    request.fetchLimit = 1
    let context = context()
    try context.performAndWait { _ = try context.fetch(request) }
  }
}

extension Item {
  func set(_ values: PlainItem) {
    date = Date(timeIntervalSinceReferenceDate: values.date)
    d1 = values.d1
    d2 = values.d2
    flag = values.flag
    i1 = values.i1
    i2 = values.i2
    i3 = values.i3
    name = values.name
    note = values.note
    title = values.title
  }

  var weight: Int {
    Int(i1) &+ Int(i2) &+ Int(i3) &+ (flag ? 1 : 0) &+ Int(d1 + d2)
      &+ Int(date?.timeIntervalSinceReferenceDate ?? 0) &+ (name?.utf8.count ?? 0)
      &+ (note?.utf8.count ?? 0) &+ (title?.utf8.count ?? 0)
  }
}
