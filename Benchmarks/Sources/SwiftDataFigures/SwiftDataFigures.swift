import CSQLite
import CoreData
import ProcessorTime
import SwiftData

/// Times models of SwiftData beside managed objects and plain SQLite calls: the same work, by turns, in one process.
///
///     Scripts/measure-swiftdata [count] [rounds]
///
/// The figures are the processor's time of all threads, the least of all rounds. The sides begin by turns.
@main
struct SwiftDataFigures {
  private let count: Int
  private let folder: URL
  private let model: NSManagedObjectModel

  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let (count, rounds) = (numbers.first ?? 100_000, numbers.dropFirst().first ?? 5)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("swiftdata-figures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let figures = try SwiftDataFigures(count: count, folder: folder)
    print("\(count) objects of 7 attributes, \(rounds) rounds, the least")
    var lines = Lines()
    for round in 0..<rounds { try figures.measure(round, &lines) }
    for line in lines.all { print(line.text) }
  }

  private init(count: Int, folder: URL) throws {
    guard let url = Bundle.module.url(forResource: "Figures", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("the compiled model Figures.momd is missing") }
    (self.count, self.folder, self.model) = (count, folder, model)
  }

  private func measure(_ round: Int, _ lines: inout Lines) throws {
    let models = Models(try container(round), count: count)
    let objects = Objects(try coordinator(round), count: count)
    let plain = PlainEntries(
      path: folder.appendingPathComponent("plain-\(round).sqlite").path,
      count: count
    )
    // The second side finds a warm allocator.
    let isFirst = round.isMultiple(of: 2)
    try lines.add("create and save", isFirst, models.create, objects.create, plain.create)
    try lines.add("fetch", isFirst, models.fetch, objects.fetch, plain.fetch)
    try lines.add("fetch and read", isFirst, models.read, objects.read, plain.read)
    try lines.add(
      "10,000 by identity",
      isFirst,
      models.identities,
      objects.identities,
      plain.identities
    )
    try lines.add(
      "change a tenth and save",
      isFirst,
      models.change,
      objects.change,
      plain.change
    )
    try lines.add("10,000,000 times a getter", isFirst, models.getter, objects.getter)
    try lines.add(bytes: "bytes of an object", try models.bytes(), try objects.bytes())
  }

  private func container(_ round: Int) throws -> ModelContainer {
    try ModelContainer(
      for: Entry.self,
      configurations: ModelConfiguration(
        url: folder.appendingPathComponent("models-\(round).store")
      )
    )
  }

  /// With the options that a container of models has.
  private func coordinator(_ round: Int) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: folder.appendingPathComponent("objects-\(round).sqlite"),
      options: [
        NSPersistentHistoryTrackingKey: true,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      ]
    )
    return coordinator
  }
}

// MARK: - The two sides

/// The work with models.
private struct Models {
  let container: ModelContainer
  let count: Int

  init(_ container: ModelContainer, count: Int) {
    (self.container, self.count) = (container, count)
  }

  func create() throws {
    let context = ModelContext(container)
    for number in 0..<count {
      let entry = Entry(title: "Entry \(number)", number: number)
      entry.stars = number % 5
      entry.text = "Text of \(number)"
      context.insert(entry)
    }
    try context.save()
  }

  func fetch() throws {
    let context = ModelContext(container)
    let found = try context.fetch(FetchDescriptor<Entry>()).count
    precondition(found == count)
    // As the context of managed objects, it lives longer than the models.
    withExtendedLifetime(context) {}
  }

  func read() throws {
    let context = ModelContext(container)
    var sum = 0
    for entry in try context.fetch(FetchDescriptor<Entry>()) {
      sum &+= entry.title.utf8.count &+ (entry.text?.utf8.count ?? 0) &+ entry.number &+ entry.stars
      sum &+=
        Int(entry.rating) &+ (entry.isDone ? 1 : 0)
        &+ Int(entry.created.timeIntervalSinceReferenceDate)
    }
    precondition(sum > 0)
    withExtendedLifetime(context) {}
  }

  func identities() throws {
    let ids = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Entry>()).prefix(10_000)
    let context = ModelContext(container)
    var sum = 0
    for id in ids { sum &+= (context.model(for: id) as? Entry)?.number ?? 0 }
    precondition(sum > 0)
  }

  func change() throws {
    let context = ModelContext(container)
    let entries = try context.fetch(FetchDescriptor<Entry>())
    for place in stride(from: 0, to: entries.count, by: 10) { entries[place].stars &+= 1 }
    try context.save()
  }

  func getter() throws {
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Entry>()
    descriptor.fetchLimit = 1
    guard let entry = try context.fetch(descriptor).first else { return }
    var sum = 0
    for _ in 0..<10_000_000 { sum &+= entry.stars }
    precondition(sum >= 0)
  }

  func bytes() throws -> Int {
    let context = ModelContext(container)
    let before = allocated_bytes()
    let entries = try context.fetch(FetchDescriptor<Entry>())
    return withExtendedLifetime(entries) { (Int(allocated_bytes()) - Int(before)) / count }
  }
}

/// The same work with managed objects.
private struct Objects {
  let coordinator: NSPersistentStoreCoordinator
  let count: Int

  init(_ coordinator: NSPersistentStoreCoordinator, count: Int) {
    (self.coordinator, self.count) = (coordinator, count)
  }

  private func withContext<Result>(
    _ work: (NSManagedObjectContext) throws -> Result
  ) rethrows -> Result {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.undoManager = nil
    return try work(context)
  }

  private var request: NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.returnsObjectsAsFaults = false
    return request
  }

  func create() throws {
    try withContext { context in
      for number in 0..<count {
        let item = Item(context: context)
        item.title = "Entry \(number)"
        item.number = Int64(number)
        item.stars = Int64(number % 5)
        item.text = "Text of \(number)"
      }
      try context.save()
    }
  }

  func fetch() throws {
    let found = try withContext { try $0.fetch(request).count }
    precondition(found == count)
  }

  func read() throws {
    try withContext { context in
      var sum = 0
      for item in try context.fetch(request) {
        sum &+= (item.title?.utf8.count ?? 0) &+ (item.text?.utf8.count ?? 0)
        sum &+= Int(item.number) &+ Int(item.stars) &+ Int(item.rating) &+ (item.isDone ? 1 : 0)
        sum &+= Int(item.created?.timeIntervalSinceReferenceDate ?? 0)
      }
      precondition(sum > 0)
    }
  }

  func identities() throws {
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    ids.resultType = .managedObjectIDResultType
    let found = try withContext { try $0.fetch(ids) }.prefix(10_000)
    withContext { context in
      var sum = 0
      for id in found { sum &+= Int((context.object(with: id) as? Item)?.number ?? 0) }
      precondition(sum > 0)
    }
  }

  func change() throws {
    try withContext { context in
      let items = try context.fetch(request)
      for place in stride(from: 0, to: items.count, by: 10) { items[place].stars &+= 1 }
      try context.save()
    }
  }

  func getter() throws {
    try withContext { context in
      let request = request
      request.fetchLimit = 1
      guard let item = try context.fetch(request).first else { return }
      var sum: Int64 = 0
      for _ in 0..<10_000_000 { sum &+= item.stars }
      precondition(sum >= 0)
    }
  }

  func bytes() throws -> Int {
    try withContext { context in
      let before = allocated_bytes()
      let items = try context.fetch(request)
      return withExtendedLifetime(items) { (Int(allocated_bytes()) - Int(before)) / count }
    }
  }
}

// MARK: - Figures

/// The measurements, by the names of the work.
private struct Lines {
  private(set) var all: [Line] = []

  struct Line {
    let name: String
    let unit: String
    var models = Double.infinity
    var objects = Double.infinity
    /// Infinite if there is nothing to compare.
    var plain = Double.infinity

    var text: String {
      name.padding(toLength: 28, withPad: " ", startingAt: 0)
        + String(
          format: "SwiftData %8.1f %@   Core Data %8.1f %@   ratio %.2f",
          models,
          unit,
          objects,
          unit,
          models / objects
        )
        + (plain.isFinite
          ? String(format: "   SQLite %8.1f %@   ratio %.2f", plain, unit, models / plain) : "")
    }
  }

  mutating func add(
    _ name: String,
    _ isFirst: Bool,
    _ models: () throws -> Void,
    _ objects: () throws -> Void,
    _ plain: (() throws -> Void)? = nil
  ) throws {
    var (ours, theirs) = (0.0, 0.0)
    if isFirst { ours = try Stopwatch.milliseconds(models) }
    theirs = try Stopwatch.milliseconds(objects)
    if !isFirst { ours = try Stopwatch.milliseconds(models) }
    keep(name, "ms", ours, theirs, try plain.map { try Stopwatch.milliseconds($0) })
  }

  mutating func add(bytes name: String, _ models: Int, _ objects: Int) throws {
    keep(name, "B ", Double(models), Double(objects))
  }

  private mutating func keep(
    _ name: String,
    _ unit: String,
    _ models: Double,
    _ objects: Double,
    _ plain: Double? = nil
  ) {
    let place = all.firstIndex { $0.name == name } ?? all.endIndex
    if place == all.endIndex { all.append(Line(name: name, unit: unit)) }
    all[place].models = min(all[place].models, models)
    all[place].objects = min(all[place].objects, objects)
    all[place].plain = min(all[place].plain, plain ?? .infinity)
  }
}
