import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Objects that a store has refused as a whole, and when they are tried again.
struct HeldObjectTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    for title in ["Rome", "Spain"] { try make(title, at: phone) }
    try makeNotes(["Circus"], in: "Rome", at: phone)
    try exchange()
    try hold(noteAt: laptop)
    #expect(try titles(at: laptop).isEmpty)
  }

  /// Makes it so that the store of a device has refused the note.
  private func hold(noteAt device: SimulatedDevice) throws {
    let context = device.context()
    let address = try context.performAndWait { try Self.note(in: context).objectID.address }
    let sidecar = try device.running().sidecar
    let note = try #require(try sidecar.identity(at: address))
    try sidecar.hold(note, nil, "The store does not take it.", at: world.now)
    try sidecar.markDirty([note])
    try world.synchronize(device)
  }

  private func titles(at device: SimulatedDevice) throws -> [String] {
    try world.titles(of: "Note", at: device).compactMap { $0 }
  }

  private func retitle(_ folder: String, _ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { try Self.folder(folder, in: $0).setValue(title, forKey: "title") }
  }

  enum News: CaseIterable {
    case note
    case folder
    case ownFolder
    case tag
    case opening
  }

  @Test(
    "a note that the store had refused stayed away for good when what it needs had come",
    arguments: News.allCases
  )
  func retried(news: News) throws {
    switch news {
    case .note:
      try world.save(at: phone) { try Self.note(in: $0).setValue("Arena", forKey: "title") }
    case .folder: try retitle("Rome", "Roma", at: phone)
    case .ownFolder: try retitle("Rome", "Roma", at: laptop)
    case .tag: try tag("red", at: phone)
    case .opening: laptop.crash()
    }
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try titles(at: laptop) == [news == .note ? "Arena" : "Circus"])
    #expect(try laptop.running().sidecar.heldBack().objects.isEmpty)
  }

  @Test("a note that the store has refused is not tried again for what has nothing to do with it")
  func left() throws {
    try retitle("Spain", "Italy", at: phone)
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try titles(at: laptop).isEmpty)
    #expect(try laptop.running().sidecar.heldBack().objects.count == 1)
  }
}
