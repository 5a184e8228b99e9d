import CoreData
import CoreDataSQLite
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Stores that are put back to a former state, while the sidecar beside them stays.
struct PutBackStoreTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    try makeNote(at: phone)
  }

  @Test(
    "a tag that a restored store's note got again was taken by an untagging of before",
    arguments: [false, true],
    [false, true]
  )
  func taggedAgain(hadTag: Bool, deletesTag: Bool) throws {
    if hadTag {
      try tag("blue", at: phone)
      try untag("blue", at: phone)
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try untag("blue", deleting: deletesTag, at: phone)
    try laptop.restore(storeOnly: true)
    try tag("blue", at: laptop)
    try exchange()
    #expect(try tags(at: laptop) == ["blue"])
    #expect(try tags(at: phone) == ["blue"])
  }

  @Test("a tag that was taken off in a restored store came back")
  func untagged() throws {
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try untag("blue", at: laptop)
    try exchange()
    #expect(try tags(at: laptop).isEmpty)
    #expect(try tags(at: phone).isEmpty)
    #expect(try world.titles(at: laptop) == ["Seeds"])
  }

  @Test("a tag that was taken off elsewhere came back because a restored store's note got another")
  func taggedOtherwise() throws {
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try tag("green", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try untag("blue", at: phone)
    try laptop.restore(storeOnly: true)
    try tag("red", at: laptop)
    try exchange()
    #expect(try tags(at: laptop) == ["green", "red"])
    #expect(try tags(at: phone) == ["green", "red"])
  }

  /// Lets a device read its store's changes, and not reach the server.
  private func exchangeInVain(_ device: SimulatedDevice) {
    #expect(throws: ConnectionLost.self) {
      try device.running().synchronize { _ in throw ConnectionLost() }
    }
  }

  @Test("a tag stayed that a restored store's note got and lost before the server was reached")
  func taggedInVain() throws {
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try tag("blue", at: laptop)
    exchangeInVain(laptop)
    try untag("blue", at: laptop)
    try exchange()
    #expect(try tags(at: laptop).isEmpty)
    #expect(try tags(at: phone).isEmpty)
  }

  @Test("a tag was lost that a restored store's note got again, once it was taken off there too")
  func untaggedInVain() throws {
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try untag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try untag("blue", at: laptop)
    exchangeInVain(laptop)
    try tag("blue", at: laptop)
    try exchange()
    #expect(try tags(at: laptop) == ["blue"])
    #expect(try tags(at: phone) == ["blue"])
  }

  @Test("a tag was lost that a restored store's note got again, as two had taken it off before")
  func untaggedByBoth() throws {
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try untag("blue", at: laptop)
    exchangeInVain(laptop)
    try laptop.backUp()
    try untag("blue", at: phone)
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try tag("blue", at: laptop)
    try exchange()
    #expect(try tags(at: laptop) == ["blue"])
    #expect(try tags(at: phone) == ["blue"])
  }

  @Test("a tag that was taken off came back with one that a restored store alone had known")
  func taggedUnseen() throws {
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try tag("green", at: laptop)
    try laptop.backUp()
    try untag("green", deleting: true, at: laptop)
    try untag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try exchange()
    #expect(try tags(at: laptop) == ["green"])
    #expect(try tags(at: phone) == ["green"])
  }

  @Test(
    "a note that was taken out of a bin went back because a restored store's bin got another",
    arguments: [false, true]
  )
  func binned(goesElsewhere: Bool) throws {
    try fillBin("old", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try world.save(at: phone) { context in
      for bin in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin")) {
        bin.mutableSetValue(forKey: "kept").removeAllObjects()
      }
    }
    if goesElsewhere { try fillBin("new", at: phone) }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    try world.save(at: laptop) { context in
      let bins = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin"))
      let bin = try #require(bins.first)
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("second", forKey: "title")
      note.setValue(try Self.note(in: context).value(forKey: "folder"), forKey: "folder")
      bin.mutableSetValue(forKey: "kept").add(note)
    }
    try exchange()
    let expected = goesElsewhere ? ["new: first", "old: second"] : ["old: second"]
    #expect(try bins(at: laptop) == expected)
    #expect(try bins(at: phone) == expected)
  }

  /// Makes a bin that keeps the one note.
  private func fillBin(_ key: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let bin = NSEntityDescription.insertNewObject(forEntityName: "Bin", into: context)
      bin.setValue(key, forKey: "key")
      let note = try Self.note(in: context)
      note.setValue("first", forKey: "title")
      bin.mutableSetValue(forKey: "kept").add(note)
    }
  }

  /// The contents of the bins.
  private func bins(at device: SimulatedDevice) throws -> [String] {
    let context = device.context()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin")).flatMap { bin in
        bin.members(named: "kept").map { note in
          "\(bin.value(forKey: "key") ?? ""): \(note.value(forKey: "title") ?? "")"
        }
      }
      .sorted()
    }
  }

  @Test("a tag that came back with a restored store had no name elsewhere")
  func nameOfReturnedTag() throws {
    try tag("blue", at: phone)
    try untag("blue", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try world.save(at: phone) { context in
      for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) {
        context.delete(tag)
      }
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    // Nobody knows any more to which moment the store was put back.
    let sidecar = try laptop.running().sidecar
    try sidecar.forgetDrained(before: #require(try sidecar.drained(limit: 1).first).number)
    try laptop.restore(storeOnly: true)
    try world.purgeHistory(of: laptop)
    try exchange()
    #expect(try world.titles(of: "Tag", under: "name", at: laptop) == ["blue"])
    #expect(try world.titles(of: "Tag", under: "name", at: phone) == ["blue"])
  }

  @Test(
    "a title that another had replaced came back with a store of which the whole history was purged"
  )
  func wholeHistoryPurged() throws {
    try world.title("Rome", at: phone)
    try world.synchronize(phone)
    try world.purgeHistory(of: phone)
    try phone.backUp()
    try world.title("Roma", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try world.title("Rom", at: laptop)
    try phone.restore(storeOnly: true)
    try exchange()
    #expect(try world.titles(at: laptop) == ["Rom"])
    #expect(try world.titles(at: phone) == ["Rom"])
  }

  @Test(
    "a tag came back that was taken off a note which no history had told of, in a restored store"
  )
  func untaggedUntold() throws {
    try world.purgeHistory(of: phone)
    try tag("blue", at: phone)
    try world.synchronize(phone)
    try phone.backUp()
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    try untag("blue", at: phone)
    try exchange()
    #expect(try tags(at: laptop).isEmpty)
    #expect(try tags(at: phone).isEmpty)
  }

  @Test(
    "a note lost its tag to one who deleted that tag in a restored store, which did not show it there"
  )
  func tagDeletedUnseen() throws {
    try tag("blue", at: phone)
    try untag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.backUp()
    try tag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.restore(storeOnly: true)
    try deleteTag(at: laptop)
    try exchange()
    #expect(try tags(at: laptop) == ["blue"])
    #expect(try tags(at: phone) == ["blue"])
  }

  @Test("a tag that was taken off a restored store's note, and deleted, came back")
  func tagDeletedSeen() throws {
    try tag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.backUp()
    try world.title("Seeds", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.restore(storeOnly: true)
    try untag("blue", deleting: true, at: laptop)
    try exchange()
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Tag", under: "name", at: device).isEmpty)
    }
  }

  @Test(
    "a tag that two had put on a note was taken off by one whose restored store showed one of them"
  )
  func taggedByTwo() throws {
    try tag("blue", at: phone)
    try untag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try tag("blue", at: phone)
    try phone.backUp()
    try tag("blue", at: laptop)
    // Changes that come with it are in the store's history.
    try world.title("Seeds", at: laptop)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    try phone.restore(storeOnly: true)
    try untag("blue", at: phone)
    try exchange()
    for device in [phone, laptop] { #expect(try tags(at: device) == ["blue"]) }
  }

  @Test(
    "a tag that was taken off in a restored store came back, if the device's clock had been ahead"
  )
  func untaggedWithClockAhead() throws {
    phone.skew = 700_000
    try tag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.backUp()
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    try untag("blue", at: phone)
    try exchange()
    for device in [phone, laptop] { #expect(try tags(at: device).isEmpty) }
  }

  @Test("a folder lost its cover to one who deleted the cover that his restored store showed")
  func coverDeleted() throws {
    try cover(with: "Circus", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.backUp()
    try cover(with: "Forum", at: laptop)
    for device in [laptop, phone] { try world.synchronize(device) }
    try phone.restore(storeOnly: true)
    try world.save(at: phone) { context in
      let note = try Self.note(in: context)
      let cover = note.value(forKeyPath: "folder.cover") as? NSManagedObject
      context.delete(try #require(cover))
    }
    try exchange()
    for device in [phone, laptop] {
      let context = device.context()
      let title = try context.performAndWait {
        try Self.note(in: context).value(forKeyPath: "folder.cover.title") as? String
      }
      #expect(title == "Forum")
    }
  }

  /// Makes another note in the folder, and that its cover.
  private func cover(with title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let folder = try Self.note(in: context).value(forKey: "folder") as? NSManagedObject
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(title, forKey: "title")
      note.setValue(folder, forKey: "folder")
      folder?.setValue(note, forKey: "cover")
    }
  }

  @Test(
    "a restored store in which everything was deleted, or nothing was done, ended the program",
    arguments: [false, true]
  )
  func nothingLeft(deletes: Bool) throws {
    try tag("blue", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.backUp()
    try tag("green", at: phone)
    try world.save(at: phone) { try $0.delete(Self.note(in: $0)) }
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.restore(storeOnly: true)
    // It has given the store what it lacks, and does not know yet that it has.
    try laptop.running().world.pass = { if $0 == .afterSave { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(laptop) }
    laptop.crash()
    if deletes {
      try world.save(at: laptop) { context in
        for entity in ["Note", "Folder", "Tag"] {
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            .forEach(context.delete)
        }
      }
    }
    try exchange()
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device).isEmpty)
      #expect(try world.titles(of: "Tag", under: "name", at: device).isEmpty == deletes)
    }
  }

  private func deleteTag(at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      context.delete(try #require(tags.first))
    }
  }

  @Test("what was emptied before it was read came back with a restored store, on one device only")
  func emptiedBeforeReading() throws {
    try world.save(at: phone) { context in
      let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
      let note = try Self.note(in: context)
      note.setValue(label, forKey: "label")
      note.setValue("Rome", forKey: "title")
    }
    try phone.backUp()
    try world.save(at: phone) { context in
      let note = try Self.note(in: context)
      for name in ["label", "title"] { note.setValue(nil, forKey: name) }
    }
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == [nil])
      #expect(try isLabelled(at: device) == false)
    }
  }

  private func isLabelled(at device: SimulatedDevice) throws -> Bool {
    let context = device.context()
    return try context.performAndWait {
      try Self.note(in: context).value(forKey: "label") != nil
    }
  }

  @Test(
    "a folder came back as another with an older store, as the save that had brought it was purged unnoted"
  )
  func purgedSave() throws {
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    let engine = try laptop.running()
    engine.world.pass = { if $0 == .afterSave { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(laptop) }
    laptop.crash()
    try world.purgeHistory(of: laptop)
    try laptop.backUp()
    try world.synchronize(laptop)
    try world.title("Beans", at: laptop)
    for device in [laptop, phone] { try world.synchronize(device) }
    try laptop.restore(storeOnly: true)
    for device in [laptop, phone] { try world.synchronize(device) }
    for device in [laptop, phone] { #expect(try world.titles(at: device) == ["Beans"]) }
  }

  @Test("a sidecar that an earlier program has made is gone on with")
  func earlierSidecar() throws {
    try world.synchronize(laptop)
    for column in ["since", "formerSince", "formerTarget"] {
      let change = "ALTER TABLE cell DROP COLUMN \(column)"
      try laptop.running().sidecar.connection.run(change)
    }
    for column in ["address", "since", "until"] {
      try laptop.running().sidecar.connection.run("ALTER TABLE gone DROP COLUMN \(column)")
    }
    laptop.crash()
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try tags(at: laptop).isEmpty)
    #expect(try laptop.running().sidecar.unsentCount == 0)
  }
}
