import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Devices that have memory for one object at a time.
struct PortionTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    for device in [world.phone, world.laptop] { device.world.objectsPerPortion = 1 }
    for number in 0..<4 {
      try world.save(at: world.phone) { context in
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("Folder \(number)", forKey: "title")
        for page in 0..<3 {
          let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
          note.setValue("Page \(page)", forKey: "title")
          note.setValue(folder, forKey: "folder")
        }
      }
    }
  }

  /// Each note with its folder.
  private func notes(at device: SimulatedDevice) throws -> [String] {
    let context = device.context()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).map { note in
        let folder = note.value(forKey: "folder") as? NSManagedObject
        let names = [folder, note].map { $0?.value(forKey: "title") as? String ?? "none" }
        return names.joined(separator: ", ")
      }.sorted()
    }
  }

  private static let all = (0..<4).flatMap { folder in
    (0..<3).map { "Folder \(folder), Page \($0)" }
  }

  private func end(_ device: SimulatedDevice, at moment: SyncMoment, after count: Int) throws {
    var left = count
    device.world.pass = { reached in
      guard reached == moment else { return }
      left -= 1
      if left < 0 { throw Crash() }
    }
    // The program may have come to its end before that.
    do { try world.synchronize(device) } catch is Crash {}
    device.crash()
    device.world.pass = { _ in }
  }

  @Test(
    "notes were there twice, or not at all, when a program ended within a large first exchange",
    arguments: [SyncMoment.beforeSave, .afterSave, .afterMark],
    [0, 1, 5, 11]
  )
  func endWithinTheFirstExchange(moment: SyncMoment, count: Int) throws {
    try world.synchronize(phone)
    try end(laptop, at: moment, after: count)
    try world.synchronize(laptop)
    #expect(try notes(at: laptop) == Self.all)
    try world.synchronize(phone)
    #expect(try notes(at: phone) == Self.all)
  }

  @Test(
    "half of a large first reading was kept when the program ended within it",
    arguments: [SyncMoment.whileDraining, .beforeDrainIsKept]
  )
  func endWithinTheFirstReading(moment: SyncMoment) throws {
    try end(phone, at: moment, after: 0)
    #expect(try phone.running().sidecar.unsentCount == 0)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try notes(at: laptop) == Self.all)
  }

  @Test("a title was lost that was given while the rest of a large exchange was applied")
  func editWithinTheExchange() throws {
    try world.synchronize(phone)
    var isFirst = true
    laptop.world.pass = { [unowned world] moment in
      guard isFirst, moment == .afterMark else { return }
      isFirst = false
      try world.title("Seeds", at: world.laptop)
    }
    try world.synchronize(laptop)
    laptop.world.pass = { _ in }
    try world.synchronize(phone)
    #expect(!isFirst)
    #expect(try world.titles(at: phone).contains("Seeds"))
    #expect(try notes(at: phone) == notes(at: laptop))
    #expect(try notes(at: phone).count == Self.all.count)
  }

  @Test("tags were deleted and made again whose names had moved within a large exchange")
  func movedNames() throws {
    try world.save(at: phone) { context in
      for number in 0..<30 {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("tag \(number)", forKey: "name")
      }
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    let before = try tags(at: laptop)
    try world.save(at: phone) { context in
      for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) {
        let words = (tag.value(forKey: "name") as? String ?? "").split(separator: " ")
        tag.setValue("tag \((words.last.flatMap { Int($0) } ?? 0) + 1)", forKey: "name")
      }
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    let names = try world.titles(of: "Tag", under: "name", at: laptop)
    #expect(Set(names) == Set((1...30).map { "tag \($0)" }))
    #expect(try tags(at: laptop) == before)
  }

  private func tags(at device: SimulatedDevice) throws -> Set<NSManagedObjectID> {
    let context = device.context()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
      request.resultType = .managedObjectIDResultType
      return Set(try context.fetch(request))
    }
  }

  @Test("one tag that could not be sent had all others applied in one save")
  func unsentTag() throws {
    func make(_ numbers: Range<Int>, at device: SimulatedDevice) throws {
      try world.save(at: device) { context in
        for number in numbers {
          let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
          tag.setValue("tag \(number)", forKey: "name")
        }
      }
    }
    try make(0..<40, at: phone)
    try world.synchronize(phone)
    try make(0..<5, at: laptop)
    var saves = 0
    laptop.world.pass = { moment in if moment == .afterMark { saves += 1 } }
    try world.follow(laptop)
    laptop.world.pass = { _ in }
    #expect(saves > 40)
    #expect(try world.titles(of: "Note", at: laptop).count == Self.all.count)
    try world.synchronize(laptop)
    try world.synchronize(phone)
    for device in [phone, laptop] { #expect(try tags(at: device).count == 40) }
  }

  @Test(
    "a store that knew nothing of the server took all of it in one piece, or half when it ended then",
    arguments: [nil, 0, 3, 11] as [Int?]
  )
  func learning(count: Int?) throws {
    try world.synchronize(phone)
    try world.title("Shed", at: laptop)
    try world.purgeHistory(of: laptop)
    if let count {
      try end(laptop, at: .whileLearning, after: count)
    } else {
      var portions = 0
      laptop.world.pass = { if $0 == .whileLearning { portions += 1 } }
      try world.synchronize(laptop)
      laptop.world.pass = { _ in }
      #expect(portions > 4)
    }
    try world.synchronize(laptop)
    #expect(try notes(at: laptop) == Self.all)
    #expect(try world.titles(at: laptop).count == 5)
    try world.synchronize(phone)
    #expect(try notes(at: phone) == Self.all)
    #expect(try world.titles(at: phone).contains("Shed"))
  }

  @Test("a restored store has all that it lacked, and every note is in its sets")
  func restoredStore() throws {
    try laptop.backUp()
    try world.save(at: phone) { context in
      let labels = (0..<2).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
      }
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("red", forKey: "name")
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      for (number, note) in notes.enumerated() {
        note.setValue(labels[number % 2], forKey: "label")
        note.mutableSetValue(forKey: "tags").add(tag)
      }
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    #expect(try notes(at: laptop).isEmpty)
    try world.synchronize(laptop)
    #expect(try notes(at: laptop) == Self.all)
    let context = laptop.context()
    try context.performAndWait {
      let labels = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label"))
      #expect(labels.map { $0.members(named: "notes").count } == [6, 6])
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(tags.map { $0.members(named: "notes").count } == [12])
    }
  }

  @Test("a restored store got all that it lacked in one save")
  func restoredInPortions() throws {
    try restoreLaptop()
    var saves = 0
    laptop.world.pass = { if $0 == .afterSave { saves += 1 } }
    try world.synchronize(laptop)
    laptop.world.pass = { _ in }
    #expect(saves > 10)
    #expect(try notes(at: laptop) == Self.all)
    #expect(try laptop.running().sidecar.unsentCount == 0)
  }

  @Test("what a restored store lacks was looked for again with each portion that it got")
  func lookingOnce() throws {
    try restoreLaptop()
    var known: [LackedLives] = []
    laptop.world.pass = { [unowned world] moment in
      guard moment == .afterMark, let lacked = world.laptop.engine?.lacked else { return }
      known.append(lacked)
    }
    try world.synchronize(laptop)
    laptop.world.pass = { _ in }
    #expect(known.count > 5)
    #expect(known.allSatisfy { $0 === known.first })
    #expect(try notes(at: laptop) == Self.all)
  }

  @Test(
    "a restored store had notes twice, or not at all, when the program ended before it had all again",
    arguments: [SyncMoment.beforeSave, .afterSave, .afterMark],
    [0, 2, 5, 11]
  )
  func endWithinRestoring(moment: SyncMoment, count: Int) throws {
    try restoreLaptop()
    try end(laptop, at: moment, after: count)
    try world.title("Shed", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try notes(at: laptop) == notes(at: phone))
    #expect(try notes(at: laptop).count == Self.all.count)
    #expect(try laptop.running().sidecar.unsentCount == 0)
  }

  @Test("a restored store lacked checklists for ever that came before their folder")
  func checklistsBeforeTheirFolder() throws {
    let world = try TwoDevices()
    world.laptop.world.objectsPerPortion = 1
    try world.laptop.backUp()
    try world.save(at: world.phone) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      for _ in 0..<5 {
        let list = NSEntityDescription.insertNewObject(forEntityName: "Checklist", into: context)
        list.setValue("Sowing", forKey: "title")
        list.setValue(folder, forKey: "folder")
      }
    }
    try world.synchronize(world.phone)
    try world.synchronize(world.laptop)
    try world.laptop.restore(storeOnly: true)
    try world.synchronize(world.laptop)
    #expect(try world.titles(of: "Checklist", at: world.laptop).count == 5)
  }

  /// Puts back the laptop's store as it was when it had nothing.
  private func restoreLaptop() throws {
    try laptop.backUp()
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try laptop.restore(storeOnly: true)
    #expect(try notes(at: laptop).isEmpty)
  }

  @Test("notes came back that were deleted on a device with little memory")
  func manyDeletions() throws {
    try world.synchronize(phone)
    try world.synchronize(laptop)
    try world.save(at: laptop) { context in
      for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
        context.delete(note)
      }
    }
    try world.synchronize(laptop)
    try world.synchronize(phone)
    #expect(try notes(at: phone).isEmpty)
    #expect(try notes(at: laptop).isEmpty)
  }
}
