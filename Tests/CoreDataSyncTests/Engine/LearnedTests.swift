import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tests of cells that a device has learned while getting acquainted, and that its store has not shown yet.
struct LearnedTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  private static let moments: [SyncMoment] = [.whileLearning, .beforeDrain, .afterPush]

  // MARK: - Tags

  @Test(
    "a tag that was learned was taken off when the note got another before its store had shown it",
    arguments: moments
  )
  func taggedOtherwise(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
    } changed: {
      try tag("red", at: laptop)
    }
    try tag("blue", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red", "blue"]) }
  }

  @Test(
    "a tag that was taken off elsewhere came back when the note got another before its store had shown that",
    arguments: moments
  )
  func untaggedElsewhere(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try tag("red", at: phone)
    } changed: {
      try untag("red", at: laptop)
    }
    try tag("blue", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["blue"]) }
  }

  @Test(
    "a tag was lost that was put on again, as it was taken off elsewhere and the store had not shown that",
    arguments: moments
  )
  func taggedAgain(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try tag("red", at: phone)
    } changed: {
      try untag("red", at: laptop)
    }
    try untag("red", at: phone)
    #expect(throws: ConnectionLost.self) {
      try phone.running().synchronize { _ in throw ConnectionLost() }
    }
    phone.crash()
    try tag("red", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red"]) }
  }

  @Test(
    "a tag that another had put on as well was taken off by one whose store showed his own only",
    arguments: moments
  )
  func taggedByTwo(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: .beforeMeeting) {
      try makeNote(at: phone)
    } changed: {
      try tag("red", at: laptop)
    }
    // The history has this tag, which is another of the same name.
    try tag("red", at: phone)
    try end(at: moment)
    try tag("blue", at: phone)
    #expect(throws: ConnectionLost.self) {
      try phone.running().synchronize { _ in throw ConnectionLost() }
    }
    phone.crash()
    try untag("red", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red", "blue"]) }
  }

  @Test("a tag was lost when its note got another while one of the same name was learned")
  func taggedOtherwiseByTwo() throws {
    try getAcquainted(untilEndAt: .beforeMeeting) {
      try makeNote(at: phone)
    } changed: {
      try tag("red", at: laptop)
    }
    try tag("red", at: phone)
    try end(at: .beforeDrain)
    try tag("blue", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red", "blue"]) }
  }

  @Test(
    "a tag that was learned was taken off because the note has one that is older than the history"
  )
  func taggedUntold() throws {
    try getAcquainted(untilEndAt: nil) {
      try makeNote(at: phone)
    } changed: {
      try tag("red", at: laptop)
    }
    try tag("green", at: phone)
    try world.purgeHistory(of: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red", "green"]) }
  }

  @Test(
    "a tag that was learned was taken off when the history was purged before the store had shown it",
    arguments: moments
  )
  func purged(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try tag("green", at: phone)
    } changed: {
      try tag("red", at: laptop)
      try untag("green", at: laptop)
    }
    try make("Rome", at: phone)
    try world.purgeHistory(of: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red"]) }
  }

  @Test(
    "a note lost a tag to one who deleted that tag before his store had shown it there",
    arguments: moments
  )
  func tagDeleted(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try tag("red", at: phone)
      try untag("red", at: phone)
    } changed: {
      try tag("red", at: laptop)
    }
    try world.save(at: phone) { $0.delete(try Self.tag(in: $0)) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red"]) }
  }

  /// The phone is put back to before its first exchange, and all that it has is older than its history.
  private func getAcquaintedAnew(untilEndAt moment: SyncMoment) throws {
    try makeNote(at: phone)
    try tag("red", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try tag("green", at: laptop)
    try world.synchronize(laptop)
    try phone.restore(storeOnly: false)
    try world.purgeHistory(of: phone)
    try end(at: moment)
  }

  @Test(
    "a tag stayed that was taken off by one whose store had shown it before it was learned",
    arguments: [SyncMoment.afterDrain, .beforeApply, .beforeSave]
  )
  func untagged(moment: SyncMoment) throws {
    try getAcquaintedAnew(untilEndAt: moment)
    try untag("red", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["green"]) }
  }

  @Test(
    "a tag that was learned of a note that is older than the history was taken off with another",
    arguments: [SyncMoment.afterDrain, .beforeApply, .beforeSave]
  )
  func taggedOlder(moment: SyncMoment) throws {
    try getAcquaintedAnew(untilEndAt: moment)
    try tag("blue", at: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["red", "green", "blue"]) }
  }

  // MARK: - A server that was put back

  @Test("what a device had came twice because its server was put back while it got acquainted")
  func putBackServer() throws {
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    try world.purgeHistory(of: phone)
    phone.world.cellsPerPage = 1
    try end(at: .afterReceipt)
    try world.restoreServer()
    for device in [laptop, phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try world.titles(at: device) == ["Rome"]) }
  }

  // MARK: - Sets without an inverse

  /// Puts the one note into the bin with a key, which is made if it does not exist.
  private func bin(_ key: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      let bins = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin"))
      let bin =
        bins.first { $0.value(forKey: "key") as? String == key }
        ?? NSEntityDescription.insertNewObject(forEntityName: "Bin", into: context)
      bin.setValue(key, forKey: "key")
      bin.mutableSetValue(forKey: "kept").add(try Self.note(in: context))
    }
  }

  @Test(
    "a note that was learned to be in a bin was taken out when the bin got another",
    arguments: moments
  )
  func binned(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try world.save(at: phone) { context in
        let bin = NSEntityDescription.insertNewObject(forEntityName: "Bin", into: context)
        bin.setValue("old", forKey: "key")
      }
    } changed: {
      try bin("old", at: laptop)
    }
    try world.save(at: phone) { context in
      let folder = try Self.note(in: context).value(forKey: "folder")
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("second", forKey: "title")
      note.setValue(folder, forKey: "folder")
      let bins = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin"))
      bins.first?.mutableSetValue(forKey: "kept").add(note)
    }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      let context = device.context()
      let count = try context.performAndWait {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin")).first?
          .members(named: "kept").count
      }
      #expect(count == 2)
    }
  }

  @Test(
    "a note that is taken out of a bin stays in the one where it was learned to be now",
    arguments: moments
  )
  func takenOutOfFormerBin(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try bin("old", at: phone)
    } changed: {
      try bin("new", at: laptop)
      try world.save(at: laptop) { context in
        for bin in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin"))
        where bin.value(forKey: "key") as? String == "old" {
          bin.mutableSetValue(forKey: "kept").removeAllObjects()
        }
      }
    }
    try world.save(at: phone) { context in
      let bins = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin"))
      bins.first?.mutableSetValue(forKey: "kept").removeAllObjects()
    }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      let context = device.context()
      let full = try context.performAndWait {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Bin"))
          .filter { !$0.members(named: "kept").isEmpty }
          .map { $0.value(forKey: "key") as? String }
      }
      #expect(full == ["new"])
    }
  }

  // MARK: - References

  @Test(
    "a folder lost a cover that was learned, because the one was deleted that its store showed",
    arguments: moments
  )
  func coverDeleted(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try make("Rome", at: phone)
      try makeNotes(["Circus", "Forum"], in: "Rome", at: phone)
      try cover(with: "Circus", at: phone)
    } changed: {
      try cover(with: "Forum", at: laptop)
    }
    try world.save(at: phone) { $0.delete(try Self.note("Circus", in: $0)) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try cover(at: device) == "Forum") }
  }

  @Test(
    "what was learned was overwritten by what the store showed, when its history was purged before it had shown that",
    arguments: moments
  )
  func valuesOfPurgedHistory(moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      for title in ["Rome", "Spain"] { try make(title, at: phone) }
      try world.save(at: phone) { context in
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("Circus", forKey: "title")
        note.setValue(try Self.folder("Rome", in: context), forKey: "folder")
      }
    } changed: {
      try world.save(at: laptop) { context in
        let note = try Self.note(in: context)
        note.setValue("Arena", forKey: "title")
        note.setValue(try Self.folder("Spain", in: context), forKey: "folder")
      }
    }
    try make("Malta", at: phone)
    try world.purgeHistory(of: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      let context = device.context()
      let note = try context.performAndWait {
        let note = try Self.note(in: context)
        return [note.value(forKey: "title"), note.value(forKeyPath: "folder.title")]
          .map { $0 as? String }
      }
      #expect(note == ["Arena", "Spain"])
    }
  }
}
