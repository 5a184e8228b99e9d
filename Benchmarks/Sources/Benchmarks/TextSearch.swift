import CoreData

/// Searches and sorts of texts, over titles in Latin letters with an accent here and there.
///
///     Scripts/benchmark text [count] [rounds]
///
/// Each is a count, or the first 50 in an order: so the time is that of looking at every title.
struct TextSearch {
  let count: Int
  let rounds: Int
  let model: NSManagedObjectModel

  func run() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("texts.sqlite")
    try coordinator.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    try fill(context)
    print("\(count) titles, \(rounds) rounds; least / median in ms, and hits")
    for format in Self.formats {
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.predicate = NSPredicate(format: format)
      try report(format) { try context.count(for: request) }
    }
    for selector in Self.selectors {
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.sortDescriptors = [
        NSSortDescriptor(key: "title", ascending: true, selector: Selector(selector))
      ]
      request.fetchLimit = 50
      try report("first 50 by \(selector)") { try context.fetch(request).count }
      request.fetchOffset = count - 50
      try report("last 50 by \(selector)") { try context.fetch(request).count }
    }
    try reportRepeatedFetch(context)
  }

  private static let formats = [
    "title CONTAINS 'thunder'", "title CONTAINS[c] 'Thunder'", "title CONTAINS[cd] 'Thunder'",
    "title CONTAINS[cd] 'café'", "title BEGINSWITH[cd] 'thé'", "title ENDSWITH[cd] 'CAFE'",
    "title ==[c] 'THUNDER OVER THE CAFÉ 77'", "title LIKE[c] '*thunder*77*'",
    "title LIKE '*thunder*'", "title IN[cd] {'thunder', 'storm'}", "title >[c] 'the'",
    "title MATCHES 'Thu.*'",
  ]

  private static let selectors = [
    "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
    "localizedStandardCompare:",
  ]

  private func fill(_ context: NSManagedObjectContext) throws {
    let words = [
      "the", "Thunder", "over", "Café", "quiet", "Crème", "harbour", "note", "storm", "Ärger",
      "window", "swift", "letter", "morning", "Łódź", "paper",
    ]
    var random: UInt64 = 7
    func word() -> String {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return words[Int(random >> 60)]
    }
    for number in 1...count {
      Item(context: context).title = "\(word()) \(word()) \(word()) \(word()) \(number)"
    }
    try context.save()
  }

  private func report(_ name: String, _ work: () throws -> Int) throws {
    var hits = 0
    let samples = try (0..<rounds).map { _ in try Sample.of { hits = try work() }.seconds * 1000 }
      .sorted()
    let text = name.padding(toLength: 48, withPad: " ", startingAt: 0)
    print(text + String(format: "%9.2f /%9.2f   %d", samples[0], samples[rounds / 2], hits))
  }

  /// From a format with its values to an empty result: the way through the framework alone.
  private func reportRepeatedFetch(_ context: NSManagedObjectContext) throws {
    let times = 10_000
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
    let empty = NSManagedObjectContext(.mainQueue)
    empty.persistentStoreCoordinator = coordinator
    let all = NSFetchRequest<Item>(entityName: "Item")
    let one = NSFetchRequest<Item>(entityName: "Item")
    let plain = try Sample.of { for _ in 0..<times { _ = try empty.fetch(all) } }
    let made = Sample.of { for number in 0..<times { one.predicate = predicate(number) } }
    let whole = try Sample.of {
      for number in 0..<times {
        one.predicate = predicate(number)
        _ = try empty.fetch(one)
      }
    }
    for (name, sample) in [
      ("an empty fetch", plain), ("a predicate made of a known format", made),
      ("both, the predicate with other values each time", whole),
    ] {
      print(String(format: "\(name): %.2f µs", sample.seconds * 1e6 / Double(times)))
    }
  }

  private func predicate(_ number: Int) -> NSPredicate {
    NSPredicate(
      format: "i1 == %d AND title == %@ AND (d1 > %f OR flag == YES)",
      -1 - number,
      "none",
      0.5
    )
  }
}
