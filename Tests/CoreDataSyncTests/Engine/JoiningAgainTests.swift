import CoreData
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Stores that were in step with a server, left it, were written to, and join again; and such as were put back or copied.
struct JoiningAgainTests {
  private let server: ZoneServer
  private let desk: CardBox
  private let phone: CardBox

  init() throws {
    server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 1)
    (desk, phone) = (try CardBox(1), try CardBox(2))
    for code in ["a", "b", "c"] { try desk.write("first", on: code) }
    for box in [desk, phone] { try box.synchronize(with: server) }
  }

  @Test("what waited when a store left, and what was written since, was gone when it joined again")
  func writtenSince() throws {
    try desk.write("waited", on: "a")
    try desk.leave()
    try desk.write("since", on: "b")
    for box in [desk, phone] { try box.synchronize(with: server) }
    // Nobody knows whether it is later than the server's value.
    for box in [desk, phone] {
      #expect(try box.texts == ["a": "first", "b": "first", "c": "first"])
    }
    #expect(try desk.lostTexts() == ["since", "waited"])
    #expect(try phone.lostTexts().isEmpty)
    // Neither is found a second time, and each can be taken back.
    try desk.synchronize(with: server)
    #expect(try desk.lostTexts().count == 2)
    try desk.takeBack("since")
    for box in [desk, phone] {
      try box.synchronize(with: server)
      #expect(try box.texts["b"] == "since")
    }
    #expect(try desk.lostTexts() == ["waited"])
  }

  @Test("a store that joins again, and has what the server has, has no conflicts")
  func unchanged() throws {
    try desk.leave()
    try desk.synchronize(with: server)
    #expect(try desk.lostTexts().isEmpty)
    #expect(try desk.texts == ["a": "first", "b": "first", "c": "first"])
  }

  @Test("a store that was put back to a backup has no conflicts with what it lacks")
  func putBack() throws {
    try desk.putBack {
      try desk.write("later", on: "a")
      try desk.synchronize(with: server)
    }
    try desk.synchronize(with: server)
    #expect(try desk.texts["a"] == "later")
    #expect(try desk.lostTexts().isEmpty)
  }

  @Test("a store that was copied together with its sidecar is a device of its own")
  func copied() throws {
    let copy = try CardBox(3, copying: desk)
    let all = [desk, phone, copy]
    for (box, text) in zip(all, ["by desk", "by phone", "by copy"]) {
      try box.write(text, on: text)
      try box.write(text, on: "c")
    }
    for _ in 1...2 { for box in all { try box.synchronize(with: server) } }
    let texts = try desk.texts
    #expect(texts.keys.sorted() == ["a", "b", "by copy", "by desk", "by phone", "c"])
    for name in ["by copy", "by desk", "by phone"] { #expect(texts[name] == name) }
    #expect(try phone.texts == texts)
    #expect(try copy.texts == texts)
    // Of three texts one is there, and the others are kept.
    let lost = try Set(all.flatMap { try $0.lostTexts() })
    #expect(lost.union([try #require(texts["c"])]) == ["by copy", "by desk", "by phone"])
    // Both go on from there.
    for box in [copy, desk] {
      try box.write("last", on: "a")
      try box.write("more by \(box === copy ? 3 : 1)", on: "b")
      for box in all + all { try box.synchronize(with: server) }
      #expect(try Set(all.map { try $0.texts }).count == 1)
    }
    #expect(try copy.texts["b"] == "more by 1")
  }
}

/// A store of cards, which are known by their codes wherever they are.
private final class CardBox {
  private let folder: URL
  private var coordinator: NSPersistentStoreCoordinator
  private let chance: Counter
  private let model: NSManagedObjectModel

  /// Numbers that no two boxes share.
  private final class Counter {
    var last: UInt64
    init(_ first: UInt64) { last = first }
  }

  /// Begins with a copy of another box, its sidecar too, if one is given.
  init(_ number: UInt64, copying original: CardBox? = nil) throws {
    let card = NSEntityDescription()
    card.name = "Card"
    card.properties = ["code", "text"].map {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType) = ($0, .stringAttributeType)
      return attribute
    }
    card.uniquenessConstraints = [["code"]]
    model = NSManagedObjectModel()
    model.entities = [card]
    chance = Counter(number << 32)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-cards-\(UUID().uuidString)")
    if let original {
      try original.close()
      try FileManager.default.copyItem(at: original.folder, to: folder)
      try original.open()
    } else {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addStore(at: file)
  }

  deinit {
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
    try? FileManager.default.removeItem(at: folder)
  }

  private var file: URL { folder.appendingPathComponent("Cards.sqlite") }
  private var sidecar: URL { folder.appendingPathComponent("Cards.sync") }

  private func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  private func cards(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Card"))
  }

  func write(_ text: String, on code: String) throws {
    try work { context in
      let known = try cards(in: context).first { $0.value(forKey: "code") as? String == code }
      let card = known ?? NSEntityDescription.insertNewObject(forEntityName: "Card", into: context)
      card.setValue(code, forKey: "code")
      card.setValue(text, forKey: "text")
      try context.save()
    }
  }

  var texts: [String: String] {
    get throws {
      try work { context in
        let pairs = try cards(in: context).map {
          ($0.value(forKey: "code") as? String ?? "", $0.value(forKey: "text") as? String ?? "")
        }
        return Dictionary(pairs) { "\($0), \($1)" }
      }
    }
  }

  private func engine() throws -> SyncEngine {
    var world = SyncWorld(
      time: { UInt64(max(Date().timeIntervalSince1970, 0) * 1000) },
      random: { [chance] in
        chance.last += 1
        return chance.last
      }
    )
    world.tokens = TokenNumbers(number: { $0[$1] }, moved: { $0.advanced(to: $1, in: $2) })
    let store = try #require(coordinator.persistentStores.first)
    return try SyncEngine(
      StoreDoor(coordinator: coordinator, store: store),
      sidecar: sidecar.path,
      world,
      isDurable: false
    )
  }

  func synchronize(with server: ZoneServer) throws {
    let now = UInt64(Date().timeIntervalSince1970 * 1000)
    try engine().synchronize { try server.answer($0, of: "cards", at: now) }
  }

  /// The texts that have lost, in their order.
  func lostTexts() throws -> [String] {
    try engine().sidecar.keptConflicts()
      .compactMap { CellValue(payload: $0.keyed.cell.payload)?.words }.sorted()
  }

  func takeBack(_ text: String) throws {
    let lost = try #require(
      try engine().sidecar.keptConflicts()
        .first { CellValue(payload: $0.keyed.cell.payload)?.words == text }
    )
    let date = lost.keyed.cell.stamp.date
    #expect(abs(date.timeIntervalSinceNow) < 3600)
    let session = try SyncSession(
      coordinator,
      try #require(coordinator.persistentStores.first),
      sidecar: sidecar.path
    )
    try session.takeBack(lost.number, writtenAt: date)
  }

  /// Gives up the server, as a program does that keeps its notes: the sidecar goes, and the history.
  func leave() throws {
    for suffix in ["", "-wal", "-shm"] {
      let path = sidecar.path + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try work { context in
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60))
    }
  }

  /// Puts the store back to its state before `body`; the sidecar stays as it is then.
  func putBack(after body: () throws -> Void) throws {
    let backup = folder.appendingPathComponent("backup.sqlite")
    try close()
    try FileManager.default.copyItem(at: file, to: backup)
    try open()
    try body()
    try close()
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(at: backup, to: file)
    try open()
  }

  private func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private func open() throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addStore(at: file)
  }
}
