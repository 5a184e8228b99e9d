import CoreData

/// Searches for words in notes of about a kilobyte, with an index of words and without.
///
///     Scripts/benchmark words [count] [rounds]
///
/// "a" and "th" begin words of nearly every note; most other words are rare.
struct WordSearch {
  let count: Int
  let rounds: Int

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("words.sqlite")
    print("\(count) notes, \(rounds) rounds; least / median in ms, and hits")
    var (bare, store) = try open(file, nil)
    try fill(NSManagedObjectContext(bare), count)
    let before = try size(of: file, closing: bare, store)
    try report("10,000 notes inserted and saved, without index") {
      try inserting(into: folder, nil)
    }
    try report("10,000 notes inserted and saved, with index") {
      try inserting(into: folder, true)
    }
    let making = try Sample.of { (bare, store) = try open(file, true) }
    let after = try size(of: file, closing: bare, store)
    print(String(format: "the index was made in %.1f s", making.seconds))
    print("texts and the rest \(before >> 20) MB, index \((after - before) >> 20) MB")
    for option in [true, nil] {
      print(option == nil ? "without the index" : "with the index")
      let (coordinator, _) = try open(file, option)
      try search(NSManagedObjectContext(coordinator), option == nil ? ["th"] : Self.words)
    }
  }

  private static let words = ["a", "th", "the", "w", "s", "note", "ba", "ban", "banola", "zz"]

  private func search(_ context: NSManagedObjectContext, _ words: [String]) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    for word in words {
      let format = "title CONTAINS[cdw] %@ OR body CONTAINS[cdw] %@"
      let either = NSPredicate(format: format, word, word)
      request.predicate = either
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: false)]
      request.fetchLimit = 60
      try report("  \(word): first 60 by date") { try context.fetch(request).count }
      request.fetchLimit = 0
      try report("  \(word): count") { try context.count(for: request) }
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSPredicate(format: "trashed == nil"), either,
      ])
      try report("  \(word): count, not in the trash") { try context.count(for: request) }
      request.fetchLimit = 60
      try report("  \(word): first 60 by date, not in the trash") {
        try context.fetch(request).count
      }
      request.predicate = NSPredicate(format: "title CONTAINS[cdw] %@", word)
      try report("  \(word): first 60 by date, in titles") { try context.fetch(request).count }
    }
  }

  private func report(_ name: String, _ work: () throws -> Int) throws {
    var hits = 0
    let samples = try (0..<rounds).map { _ in try Sample.of { hits = try work() }.seconds * 1000 }
      .sorted()
    let text = name.padding(toLength: 48, withPad: " ", startingAt: 0)
    print(text + String(format: "%9.2f /%9.2f   %d", samples[0], samples[rounds / 2], hits))
  }
}

// MARK: - Notes

extension WordSearch {
  private var model: NSManagedObjectModel {
    func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isIndexedBySpotlight = type == .stringAttributeType
      return attribute
    }
    let note = NSEntityDescription()
    note.name = "Note"
    let created = attribute("created", .dateAttributeType)
    note.properties = [
      attribute("title", .stringAttributeType), attribute("body", .stringAttributeType), created,
      attribute("trashed", .dateAttributeType),
    ]
    note.indexes = [
      NSFetchIndexDescription(
        name: "byCreated",
        elements: [NSFetchIndexElementDescription(property: created, collationType: .binary)]
      )
    ]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }

  private func open(
    _ file: URL,
    _ option: Bool?
  ) throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: option.map { [CoreDataTextSearchOption: $0] }
    )
    return (coordinator, store)
  }

  private func size(
    of file: URL,
    closing coordinator: NSPersistentStoreCoordinator,
    _ store: NSPersistentStore
  ) throws -> Int {
    try coordinator.remove(store)
    return try ["", "-wal"].reduce(0) { total, ending in
      let path = file.path + ending
      guard FileManager.default.fileExists(atPath: path) else { return total }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return total + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  private func inserting(into folder: URL, _ option: Bool?) throws -> Int {
    let file = folder.appendingPathComponent("\(UUID().uuidString).sqlite")
    let (coordinator, store) = try open(file, option)
    try fill(NSManagedObjectContext(coordinator), 10_000)
    try coordinator.remove(store)
    try FileManager.default.removeItem(at: file)
    return 10_000
  }

  private func fill(_ context: NSManagedObjectContext, _ count: Int) throws {
    var words = Words()
    for number in 1...count {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("\(words.next()) \(words.next()) \(number)", forKey: "title")
      note.setValue(words.text(ofBytes: 1000), forKey: "body")
      let date = Double(words.random() % 1_000_000_000)
      note.setValue(Date(timeIntervalSinceReferenceDate: date), forKey: "created")
      if number % 10_000 == 0 {
        try context.save()
        context.reset()
      }
    }
    try context.save()
  }
}

extension NSManagedObjectContext {
  fileprivate convenience init(_ coordinator: NSPersistentStoreCoordinator) {
    self.init(.mainQueue)
    persistentStoreCoordinator = coordinator
  }
}

/// Words as languages have them: few that are everywhere, and many that are rare.
private struct Words {
  private var state: UInt64 = 7
  private static let frequent = [
    "the", "of", "and", "a", "to", "in", "is", "that", "it", "was", "for", "on", "are", "as",
    "with", "his", "they", "at", "be", "this", "from", "have", "or", "by", "one", "had", "not",
    "but", "what", "all", "were", "when", "we", "there", "can", "an", "your", "which", "their",
  ]
  private static let syllables = [
    "ba", "no", "la", "ti", "ré", "mo", "su", "ka", "pe", "vi", "do", "ge", "lu", "ma", "fo", "sch",
  ]

  mutating func random() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }

  mutating func next() -> String {
    let number = random()
    if number & 1 == 0 { return Self.frequent[Int(number >> 1) % Self.frequent.count] }
    // Products of small numbers are frequent, and so are words of the first syllables.
    var rank = Int(random() % 200) * Int(random() % 200)
    var word = ""
    repeat {
      word += Self.syllables[rank % Self.syllables.count]
      rank /= Self.syllables.count
    } while rank > 0
    return word + Self.syllables[Int(random() % 16)]
  }

  mutating func text(ofBytes count: Int) -> String {
    var text = ""
    while text.utf8.count < count { text += next() + " " }
    return text
  }
}
