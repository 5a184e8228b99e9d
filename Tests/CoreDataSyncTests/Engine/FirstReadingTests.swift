import CoreData
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Stores that have been in use before anything was kept in step, or were restored.
struct FirstReadingTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  @Test(
    "a save between the first reading of the history and the first look at the store was lost",
    arguments: [SyncMoment.beforeDrainIsKept, .whileDraining]
  )
  func saveBeforeTheFirstLook(moment: SyncMoment) throws {
    try world.title("Seeds", at: phone)
    var isFirst = true
    phone.world.pass = { [unowned world] reached in
      guard isFirst, reached == moment else { return }
      isFirst = false
      try world.title("Seeds and soil", at: world.phone)
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(!isFirst)
    #expect(try world.titles(at: laptop) == ["Seeds and soil"])
  }

  @Test(
    "a store that was written to without pause was read again and again, and nothing of it sent",
    arguments: [false, true]
  )
  func writingWithoutPause(isPurged: Bool) throws {
    try world.title("Seeds", at: phone)
    if isPurged { try world.purgeHistory(of: phone) }
    var (saves, isWriting) = (0, true)
    phone.world.pass = { [unowned world] moment in
      if moment == .beforePush { isWriting = false }
      guard isWriting, moment == .whileDraining || moment == .beforeDrainIsKept else { return }
      saves += 1
      try world.title("Seeds \(saves)", at: world.phone)
    }
    try world.synchronize(phone)
    phone.world.pass = { _ in }
    #expect(saves > 1 && saves < 10)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(at: phone) == ["Seeds \(saves)"])
    #expect(try world.titles(at: laptop) == ["Seeds \(saves)"])
  }

  @Test(
    "a tag that was taken off came back, as a first reading had ended before the note's older folder was found",
    arguments: [SyncMoment.afterPull, .beforeMeeting, .beforeDrain]
  )
  func untaggedWithinTheFirstReading(moment: SyncMoment) throws {
    try make("Rome", at: phone)
    try world.purgeHistory(of: phone)
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(try Self.folder("Rome", in: context), forKey: "folder")
      note.mutableSetValue(forKey: "related").add(note)
    }
    try tag("red", at: phone)
    phone.world.pass = { if $0 == moment { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(phone) }
    phone.crash()
    phone.world.pass = { _ in }
    try world.save(at: phone) { context in
      try Self.note(in: context).mutableSetValue(forKey: "related").removeAllObjects()
    }
    try untag("red", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try tags(at: device).isEmpty)
      let context = device.context()
      let related = try context.performAndWait {
        try Self.note(in: context).members(named: "related").count
      }
      #expect(related == 0)
    }
  }

  @Test("an object came back that was deleted before a restored device was first read")
  func deletionBeforeTheFirstReading() throws {
    try world.title("Seeds", at: phone)
    try phone.backUp()
    try world.synchronize(phone)
    // The backup does not have a sidecar yet.
    try phone.restore(storeOnly: false)
    try world.save(at: phone) { context in
      for folder in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")) {
        context.delete(folder)
      }
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(at: phone).isEmpty)
    #expect(try world.titles(at: laptop).isEmpty)
  }

  @Test(
    "a new title was lost when a store was put back to before a deletion that nobody was told of",
    arguments: [false, true]
  )
  func untoldDeletion(hasReadBefore: Bool) throws {
    if hasReadBefore {
      try make("Bern", at: phone)
      try world.synchronize(phone)
    }
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try world.save(at: laptop) { context in
      try Self.folder("Rome", in: context).setValue("Roma", forKey: "title")
    }
    try phone.restore(storeOnly: false)
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    #expect(throws: ConnectionLost.self) {
      try phone.running().synchronize { _ in throw ConnectionLost() }
    }
    try phone.restore(storeOnly: true)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    let expected: Set = hasReadBefore ? ["Bern", "Roma"] : ["Roma"]
    for device in [phone, laptop] {
      let titles = try world.titles(at: device)
      #expect(Set(titles) == expected)
      #expect(titles.count == expected.count)
    }
  }

  @Test("a device restored from before its first exchange, its history purged, had objects twice")
  func restoredWithoutHistory() throws {
    try world.title("Seeds", at: phone)
    try phone.backUp()
    try world.synchronize(phone)
    try world.synchronize(laptop)
    // The backup does not have a sidecar yet.
    try phone.restore(storeOnly: false)
    try world.purgeHistory(of: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(at: phone) == ["Seeds"])
    #expect(try world.titles(at: laptop) == ["Seeds"])
    try world.title("Seeds and soil", at: laptop)
    try world.synchronize(laptop)
    try world.synchronize(phone)
    #expect(try world.titles(at: phone) == ["Seeds and soil"])
  }

  @Test(
    "a restored store had objects twice that were changed between the backup and the first reading"
  )
  func restoredStore() throws {
    try world.title("Seeds", at: phone)
    try phone.backUp()
    try world.title("Seeds and soil", at: phone)
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    try world.synchronize(phone)
    #expect(try world.titles(at: phone) == ["Seeds and soil"])
  }

  @Test("a restored store gave its old titles to others when its history was purged too early")
  func purgedWhileRestored() throws {
    try world.title("Beds", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.backUp()
    try world.title("Roses", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    laptop.world.pass = { if $0 == .beforeApply { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(laptop) }
    laptop.crash()
    laptop.world.pass = { _ in }
    try world.save(at: laptop) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue("Shed", forKey: "title")
    }
    try world.purgeHistory(of: laptop)
    try world.synchronize(laptop)
    try world.synchronize(phone)
    for device in [phone, laptop] {
      #expect(try Set(world.titles(at: device)) == ["Roses", "Shed"])
    }
  }

  @Test("an object that a purged history knew only by a change was kept without what it requires")
  func purgedHistory() throws {
    try world.title("Seeds", at: phone)
    try world.save(at: phone) { context in
      let folder = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(folder, forKey: "folder")
    }
    try world.purgeHistory(of: phone)
    try world.save(at: phone) { context in
      let note = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
      note?.setValue("Water", forKey: "title")
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(of: "Note", at: phone) == ["Water"])
    #expect(try world.titles(of: "Note", at: laptop) == ["Water"])
  }

  @Test("a note of a purged history was lost, because the folder that it needs is older")
  func olderFolder() throws {
    try world.title("Seeds", at: phone)
    try world.purgeHistory(of: phone)
    try world.save(at: phone) { context in
      let folder = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue("Water", forKey: "title")
      note.setValue(folder, forKey: "folder")
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(of: "Note", at: phone) == ["Water"])
    #expect(try world.titles(of: "Note", at: laptop) == ["Water"])
  }

  enum Later: CaseIterable {
    case nothing, otherCover, noCover, coverDeleted, newCover
  }

  @Test(
    "a cover that was chosen before the history was purged went to nobody",
    arguments: Later.allCases,
    [nil, .beforeMeeting, .beforeDrain, .afterDrain, .beforePush] as [SyncMoment?]
  )
  func coverOfPurgedHistory(later: Later, moment: SyncMoment?) throws {
    try make("Rome", at: phone)
    try makeNotes(["Circus", "Forum"], in: "Rome", at: phone)
    try cover(with: "Forum", at: phone)
    try world.purgeHistory(of: phone)
    if let moment { try end(at: moment) }
    switch later {
    case .nothing: break
    case .otherCover: try cover(with: "Circus", at: phone)
    case .noCover: try uncover("Rome", at: phone)
    case .coverDeleted: try world.save(at: phone) { try $0.delete(Self.note("Forum", in: $0)) }
    case .newCover:
      try makeNotes(["Arch"], in: "Rome", at: phone)
      try cover(with: "Arch", at: phone)
    }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    let expected: String? =
      switch later {
      case .nothing: "Forum"
      case .otherCover: "Circus"
      case .noCover, .coverDeleted: nil
      case .newCover: "Arch"
      }
    for device in [phone, laptop] { #expect(try cover(at: device) == expected) }
    if moment != nil { return }
    // And what was written elsewhere since is not undone.
    try cover(with: "Circus", at: laptop)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try cover(at: device) == "Circus") }
  }

  /// The phone is put back to before its first exchange, and knows its objects by their content only.
  private func forgetSidecar() throws {
    try make("Rome", at: phone)
    try makeNotes(["Circus", "Forum"], in: "Rome", at: phone)
    try world.purgeHistory(of: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
  }

  @Test(
    "a cover was on one device only, of a folder that others had too and that was known by its title",
    arguments: [false, true]
  )
  func coverOfAdopted(isPurged: Bool) throws {
    try forgetSidecar()
    try cover(with: "Forum", at: phone)
    if isPurged { try world.purgeHistory(of: phone) }
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try cover(at: device) == "Forum") }
  }

  @Test(
    "a tag was taken off a note that others had too and that was known by its title",
    arguments: [false, true]
  )
  func tagOfAdopted(isPurged: Bool) throws {
    try forgetSidecar()
    try world.save(at: phone) { context in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("red", forKey: "name")
      try Self.note("Forum", in: context).mutableSetValue(forKey: "tags").add(tag)
    }
    if isPurged { try world.purgeHistory(of: phone) }
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] {
      let context = device.context()
      try context.performAndWait {
        let tags = try Self.note("Forum", in: context).members(named: "tags")
        #expect(tags.map { $0.value(forKey: "name") as? String } == ["red"])
      }
    }
  }

  @Test("a tag that others have taken off stays off a note that is known by its title")
  func untaggedElsewhere() throws {
    try make("Rome", at: phone)
    try makeNotes(["Forum"], in: "Rome", at: phone)
    try tag("red", at: phone)
    try world.purgeHistory(of: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try untag("red", at: laptop)
    try world.synchronize(laptop)
    try phone.restore(storeOnly: false)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device).isEmpty) }
  }

  @Test(
    "a history with a time that no clock tells ended the program",
    arguments: ["1e300", "9e999"]
  )
  func senselessTimes(time: String) throws {
    try world.title("Seeds", at: phone)
    try phone.close()
    do {
      let connection = try Connection(path: phone.storeFile.path)
      try connection.run("UPDATE ATRANSACTION SET ZTIMESTAMP = \(time)" as String)
    }
    try phone.reopen()
    phone.world.timeOfSave = { $0 }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try world.titles(at: laptop) == ["Seeds"])
  }

  @Test("objects were there twice when the history was purged between a save and its mark")
  func purgeBeforeTheMark() throws {
    try world.title("Seeds", at: phone)
    try world.synchronize(phone)
    laptop.world.pass = { if $0 == .afterSave { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(laptop) }
    laptop.crash()
    laptop.world.pass = { _ in }
    try world.title("Seeds and soil", at: laptop)
    try world.purgeHistory(of: laptop)
    try world.synchronize(laptop)
    try world.synchronize(phone)
    #expect(try world.titles(at: laptop) == ["Seeds and soil"])
    #expect(try world.titles(at: phone) == ["Seeds and soil"])
  }
}
