import CoreData
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tags of notes that went with a folder, and that nobody sees until they get another.
struct UnseenNoteTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  /// The phone moves a tagged note into a folder that the laptop deletes at the same time, and deletes the tag, which
  /// is then on no note any more.
  private func deleteTagOfHiddenNote() throws {
    for title in ["Rome", "Italy", "Spain"] { try make(title, at: phone) }
    try world.save(at: phone) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(try Self.folder("Italy", in: context), forKey: "folder")
    }
    try tag("green", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try move(to: "Rome", at: phone)
    try world.save(at: laptop) { try $0.delete(Self.folder("Rome", in: $0)) }
    for device in [laptop, phone] { try world.synchronize(device) }
    try world.save(at: phone) { context in
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 0)
      context.delete(try Self.tag(in: context))
    }
  }

  private func move(to title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { context in
      try Self.note(in: context).setValue(Self.folder(title, in: context), forKey: "folder")
    }
  }

  @Test("a note lost its tag to one who deleted that tag while he did not see the note")
  func tagOfHiddenNote() throws {
    try deleteTagOfHiddenNote()
    try move(to: "Spain", at: laptop)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["green"]) }
  }

  @Test("a note that came to light later than its tag was deleted had lost it")
  func tagOfNoteThatComesToLight() throws {
    try deleteTagOfHiddenNote()
    try world.synchronize(phone)
    try move(to: "Spain", at: laptop)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["green"]) }
  }

  @Test("a tag could not be deleted because a note had it that nobody sees")
  func tagOfUnseenNote() throws {
    try deleteTagOfHiddenNote()
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Tag", under: "name", at: device).isEmpty)
    }
  }

  @Test("a tag that a store refuses was taken off a note which got another there")
  func refusedTag() throws {
    try makeNote(at: phone)
    try tag("green", at: phone)
    try world.synchronize(phone)
    let green = try phone.context().performAndWait {
      try phone.running().sidecar.identity(at: Self.tag(in: phone.context()).objectID.address)
    }
    let refused = try #require(green)
    let engine = try laptop.running()
    // However often it is tried, the store does not take it.
    engine.world.pass = { moment in
      guard moment == .beforeApply else { return }
      try engine.sidecar.hold(refused, nil, "The store refuses it.", at: 0)
    }
    defer { engine.world.pass = { _ in } }
    try world.synchronize(laptop)
    try tag("red", at: laptop)
    try exchange()
    #expect(try tags(at: laptop) == ["red"])
    #expect(try tags(at: phone) == ["green", "red"])
  }

  @Test("a note lost its tag to one who made that tag again while he did not see the note")
  func tagMadeAgainBesideHiddenNote() throws {
    try deleteTagOfHiddenNote()
    try world.synchronize(phone)
    try world.save(at: phone) { context in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("green", forKey: "name")
    }
    try move(to: "Spain", at: laptop)
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try tags(at: device) == ["green"]) }
  }
}
