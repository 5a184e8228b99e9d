import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncServer
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Histories that the simulation has found, told step by step.
struct FoundHistoriesTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  @Test("a note kept the tag that was taken off it after it had left a folder that was deleted")
  func untaggedAfterMove() throws {
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue("Rome", forKey: "title")
      note.setValue(folder, forKey: "folder")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("red", forKey: "name")
      note.mutableSetValue(forKey: "tags").add(tag)
    }
    try make("Italy", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try world.save(at: laptop) { context in
      try Self.note(in: context).setValue(Self.folder("Italy", in: context), forKey: "folder")
    }
    try world.save(at: laptop) { context in
      try context.delete(Self.folder("Rome", in: context))
    }
    try world.save(at: laptop) { context in
      try Self.note(in: context).mutableSetValue(forKey: "tags").removeAllObjects()
    }
    for device in [laptop, phone] { try world.synchronize(device) }
    for device in [laptop, phone] {
      let context = device.context()
      let count = try context.performAndWait {
        try Self.note(in: context).members(named: "tags").count
      }
      #expect(count == 0)
    }
  }

  @Test("a folder that everybody had forgotten came back with a backup, and to new devices only")
  func backFromTheDead() throws {
    try make("Rome", at: phone)
    try phone.backUp()
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    // Each says the next time that it knows.
    for device in [phone, laptop, phone, laptop, phone, laptop] { try world.synchronize(device) }
    #expect(try world.server.purge("notes", silentSince: 0) > 0)
    try phone.restore(storeOnly: false)
    #expect(try titles(at: phone) == ["Rome"])
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    #expect(try titles(at: phone).isEmpty)
    #expect(try titles(at: laptop).isEmpty)
  }

  @Test("a tag came back with a backup, once its removal was forgotten, and to new devices only")
  func untaggedAndForgotten() throws {
    try make("Rome", at: phone)
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(try Self.folder("Rome", in: context), forKey: "folder")
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("red", forKey: "name")
      note.mutableSetValue(forKey: "tags").add(tag)
    }
    try phone.backUp()
    try world.synchronize(phone)
    try world.save(at: phone) { context in
      try Self.note(in: context).mutableSetValue(forKey: "tags").removeAllObjects()
    }
    // Each says the next time that it knows.
    for device in [phone, laptop, phone, laptop, phone, laptop] { try world.synchronize(device) }
    #expect(try world.server.purge("notes", silentSince: 0) > 0)
    try phone.restore(storeOnly: false)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      let context = device.context()
      let count = try context.performAndWait {
        try Self.note(in: context).members(named: "tags").count
      }
      #expect(count == 0)
    }
  }

  @Test("a folder that was deleted before it was read came back to a device with an older backup")
  func deletedBeforeReading() throws {
    try make("Bern", at: phone)
    try world.synchronize(phone)
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern"]) }
  }

  @Test(
    "a folder that was deleted before it was read came back, as device and server had older backups"
  )
  func deletedBeforeReadingAndServerPutBack() throws {
    try make("Bern", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    try world.restoreServer()
    // The server knows nothing of it until the laptop brings it.
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern"]) }
  }

  @Test("a folder that others had deleted, too, came back as another one with an older store")
  func deletedUnreadAndElsewhere() throws {
    for title in ["Bern", "Rome"] { try make(title, at: phone) }
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try world.save(at: laptop) { try $0.delete(Self.folder("Rome", in: $0)) }
    try world.synchronize(laptop)
    try phone.restore(storeOnly: false)
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    // Made and deleted unread; and then the store has it again.
    try phone.running().drain()
    try phone.restore(storeOnly: true)
    #expect(try titles(at: phone) == ["Bern", "Rome"])
    for device in [phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern"]) }
  }

  @Test("a folder that everybody had forgotten stayed in a store that was put back to before that")
  func forgottenInBackup() throws {
    try make("Bern", at: phone)
    try make("Rome", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.backUp()
    try world.save(at: laptop) { try $0.delete(Self.folder("Rome", in: $0)) }
    for device in [laptop, phone, laptop, phone, laptop] { try world.synchronize(device) }
    #expect(try world.server.purge("notes", silentSince: 0) > 0)
    // Things that the server does not know are forgotten here too.
    try phone.running().beginAnew(.snapshot)
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    #expect(try titles(at: phone) == ["Bern", "Rome"])
    try world.synchronize(phone)
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern"]) }
  }

  /// A device is put back to a backup with a folder that it had not read then, and that was deleted and forgotten since.
  @Test(
    "a device that was put back to before it had read a folder hears of its deletion, or takes it for new where nobody knows",
    arguments: [false, true]
  )
  func forgottenAndUnreadInBackup(isForgottenByAll: Bool) throws {
    try make("Bern", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try world.save(at: laptop) { try $0.delete(Self.folder("Rome", in: $0)) }
    for device in [laptop, phone, laptop, phone, laptop] { try world.synchronize(device) }
    #expect(try world.server.purge("notes", silentSince: 0) > 0)
    if isForgottenByAll {
      try laptop.running().beginAnew(.snapshot)
      try world.synchronize(laptop)
    }
    try phone.restore(storeOnly: false)
    try make("Oslo", at: phone)
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    // Nothing but the memory of another device tells Rome from Oslo, which nobody may lose.
    let expected = isForgottenByAll ? ["Bern", "Oslo", "Rome"] : ["Bern", "Oslo"]
    for device in [phone, laptop] {
      #expect(try titles(at: device).compactMap(\.self).sorted() == expected)
    }
  }

  @Test("a store that was put back had a cover alone, of a note that came and went unseen")
  func coverUnseen() throws {
    try make("Rome", at: phone)
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      let folder = try Self.folder("Rome", in: context)
      note.setValue(folder, forKey: "folder")
      folder.setValue(note, forKey: "cover")
    }
    try phone.backUp()
    try world.save(at: phone) { try $0.delete(Self.note(in: $0)) }
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] {
      var isShown = false
      try world.save(at: device) { context in
        let cover = try Self.folder("Rome", in: context).value(forKey: "cover") as? NSManagedObject
        isShown = try cover != nil && cover === Self.note(in: context)
      }
      #expect(isShown)
    }
  }

  @Test("a store that was put back to a purged history brought back what others had deleted")
  func purgedBeforeBackup() throws {
    try make("Rome", at: phone)
    try world.synchronize(phone)
    try rename("Rome", "Roma", at: phone)
    try world.purgeHistory(of: phone)
    try rename("Roma", "Rom", at: phone)
    try world.synchronize(phone)
    try phone.backUp()
    try rename("Rom", "Roms", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try world.save(at: laptop) { try $0.delete(Self.folder("Roms", in: $0)) }
    try phone.restore(storeOnly: true)
    for device in [phone, laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device).isEmpty) }
  }

  @Test("a tag that was taken off a note came back because another note of an older store got it")
  func taggedAnother() throws {
    try make("Rome", at: phone)
    try world.save(at: phone) { context in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("red", forKey: "name")
      for title in ["Circus", "Forum"] {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(title, forKey: "title")
        note.setValue(try Self.folder("Rome", in: context), forKey: "folder")
        if title == "Circus" { note.mutableSetValue(forKey: "tags").add(tag) }
      }
    }
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.backUp()
    try world.save(at: phone) { context in
      try Self.tag(in: context).mutableSetValue(forKey: "notes").removeAllObjects()
    }
    for device in [phone, laptop] { try world.synchronize(device) }
    try laptop.restore(storeOnly: true)
    try world.save(at: laptop) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title == 'Forum'")
      let note = try #require(try context.fetch(request).first)
      note.mutableSetValue(forKey: "tags").add(try Self.tag(in: context))
    }
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [laptop, phone] {
      let context = device.context()
      let tagged = try context.performAndWait {
        try Self.tag(in: context).members(named: "notes")
          .map { $0.value(forKey: "title") as? String }
      }
      #expect(tagged == ["Forum"])
    }
  }

  @Test(
    "a folder that was deleted before it was read came back, as another, with a store that was put back",
    arguments: [false, true]
  )
  func deletedBeforeReadingAndPutBack(hadMet: Bool) throws {
    if hadMet { try world.synchronize(phone) }
    try make("Rome", at: phone)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    try phone.restore(storeOnly: true)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device).isEmpty) }
  }

  @Test(
    "a folder that came back with a store that was put back was there twice after another backup"
  )
  func putBackTwice() throws {
    try make("Bern", at: phone)
    try world.synchronize(phone)
    try make("Rome", at: phone)
    try phone.backUp()
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    try world.synchronize(phone)
    try phone.restore(storeOnly: true)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: false)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern", "Rome"]) }
  }

  /// Lets the program end at a moment of an exchange.
  private func end(_ device: SimulatedDevice, at moment: SyncMoment) throws {
    try device.running().world.pass = { if $0 == moment { throw Crash() } }
    #expect(throws: Crash.self) { try world.synchronize(device) }
    device.crash()
  }

  @Test(
    "a title was lost that was written, and its history purged, before a first reading came to its end"
  )
  func purgedBeforeFirstReadingEnded() throws {
    try make("Rome", at: phone)
    try end(phone, at: .beforeDrain)
    try rename("Rome", "Roma", at: phone)
    try world.purgeHistory(of: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Roma"]) }
  }

  @Test(
    "a folder whose deletion no history told came back, as another, with a store that was put back"
  )
  func deletedUntold() throws {
    try make("Bern", at: phone)
    try make("Rome", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.backUp()
    try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
    try world.purgeHistory(of: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.restore(storeOnly: true)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern"]) }
  }

  @Test(
    "a folder was there twice after its store was put back to a state that no history had told of"
  )
  func putBackToUntold() throws {
    try make("Rome", at: phone)
    try world.synchronize(phone)
    try rename("Rome", "Roma", at: phone)
    try world.purgeHistory(of: phone)
    try world.synchronize(phone)
    try phone.backUp()
    try rename("Roma", "Rom", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try rename("Rom", "Rum", at: laptop)
    try phone.restore(storeOnly: true)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Rum"]) }
  }

  /// The phone has to get acquainted again, with a folder that the laptop has given another title in between.
  private func getAcquaintedAnew() throws {
    try make("Rome", at: phone)
    try end(phone, at: .beforeDrain)
    try phone.backUp()
    for device in [phone, laptop] { try world.synchronize(device) }
    try rename("Rome", "Roma", at: laptop)
    try world.synchronize(laptop)
    try phone.restore(storeOnly: false)
    try make("Bern 0", at: phone)
    try world.purgeHistory(of: phone)
  }

  @Test("a title that was written elsewhere was undone by one who had to get acquainted anew")
  func acquaintedAnew() throws {
    try getAcquaintedAnew()
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try titles(at: device) == ["Bern 0", "Roma"]) }
  }

  @Test(
    "a title was undone by one who got acquainted anew beside a program that saves all the time"
  )
  func acquaintedWhileWriting() throws {
    try getAcquaintedAnew()
    var (saves, isWriting) = (0, true)
    phone.world.pass = { [phone] moment in
      if moment == .beforeMeeting { isWriting = false }
      guard isWriting, moment == .whileDraining else { return }
      try rename("Bern \(saves)", "Bern \(saves + 1)", at: phone)
      saves += 1
    }
    try world.synchronize(phone)
    #expect(!isWriting && saves > 0 && saves < 10)
    for device in [laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try titles(at: device) == ["Bern \(saves)", "Roma"])
    }
  }

  @Test("who could not get acquainted, because a program saved all the time, went on as if he were")
  func notAcquainted() throws {
    try getAcquaintedAnew()
    // A store that cannot be read as it was at one moment.
    phone.pragmas["journal_mode"] = "DELETE"
    try phone.reopen()
    var (saves, isWriting) = (0, true)
    phone.world.pass = { [phone] moment in
      guard isWriting, moment == .whileDraining else { return }
      try rename("Bern \(saves)", "Bern \(saves + 1)", at: phone)
      saves += 1
    }
    let failure = #expect(throws: SyncFailure.self) { try world.synchronize(phone) }
    #expect(failure?.description.contains("written to so often") == true)
    isWriting = false
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try titles(at: device) == ["Bern \(saves)", "Roma"])
    }
  }

  @Test(
    "a transaction that nobody knows was noted as read where nobody tells the numbers of tokens"
  )
  func untoldNumbers() throws {
    phone.world.tokens = nil
    try make("Rome", at: phone)
    try world.purgeHistory(of: phone)
    try world.synchronize(phone)
    #expect(try !phone.running().sidecar.hasDrained(0))
  }

  @Test("what came and went between two exchanges was remembered for good")
  func cameAndWent() throws {
    try make("Bern", at: phone)
    try world.synchronize(phone)
    for _ in 0..<3 {
      try make("Rome", at: phone)
      try world.save(at: phone) { try $0.delete(Self.folder("Rome", in: $0)) }
      try world.synchronize(phone)
    }
    let sidecar = try phone.running().sidecar
    #expect(try sidecar.connection.integer("SELECT COUNT(*) FROM gone") == 0)
    #expect(try sidecar.connection.integer("SELECT COUNT(*) FROM cell WHERE epoch = 2") == 0)
  }

  @Test(
    "a note was deleted whose folder was older than the history, and that purged once it was read",
    arguments: [SyncMoment.beforeMeeting, .whileLearning, .beforeDrain, .afterDrain, .beforePush]
  )
  func folderOlderThanHistory(moment: SyncMoment) throws {
    try make("Spain", at: laptop)
    try world.synchronize(laptop)
    try make("Rome", at: phone)
    try world.purgeHistory(of: phone)
    try makeNoteInRome("Circus")
    try end(phone, at: moment)
    try world.save(at: phone) { try Self.note(in: $0).setValue("Circus Maximus", forKey: "title") }
    try makeNoteInRome("Forum")
    try world.purgeHistory(of: phone)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      let titles = try world.titles(of: "Note", at: device).compactMap { $0 }
      #expect(titles.sorted() == ["Circus Maximus", "Forum"])
    }
  }

  private func makeNoteInRome(_ title: String) throws {
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(title, forKey: "title")
      note.setValue(try Self.folder("Rome", in: context), forKey: "folder")
    }
  }
}
