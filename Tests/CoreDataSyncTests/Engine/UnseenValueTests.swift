import CoreData
import CoreDataSyncCore
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tests of changes of a program while its store does not show yet the result of others' changes.
struct UnseenValueTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  private static let moments: [SyncMoment] = [.whileLearning, .beforeDrain, .afterPush]

  /// The values that lost, as people read them; references to a note by its title.
  private func lost(at device: SimulatedDevice) throws -> [String] {
    let sidecar = try device.running().sidecar
    return try sidecar.keptConflicts().compactMap { kept in
      guard let value = CellValue(payload: kept.keyed.cell.payload) else { return nil }
      guard let end = value.reference else { return value.words }
      return try sidecar.cells(of: end)?.values.values
        .compactMap { CellValue(payload: $0.payload) }
        .first { if case .text = $0 { true } else { false } }?.words
    }
  }

  // MARK: - Titles

  private func title(_ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { try Self.note(in: $0).setValue(title, forKey: "title") }
  }

  @Test(
    "a title that was learned was lost without a conflict when the program gave another",
    arguments: moments,
    [false, true]
  )
  func retitled(moment: SyncMoment, isPurged: Bool) throws {
    try getAcquainted(untilEndAt: moment) {
      try makeNote(at: phone)
      try title("Circus", at: phone)
    } changed: {
      try title("Arena", at: laptop)
    }
    try title("Forum", at: phone)
    if isPurged { try world.purgeHistory(of: phone) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Forum"])
      #expect(try lost(at: device) == ["Arena"])
    }
  }

  @Test("a title was lost without a conflict to the second of two that were given out of reach")
  func retitledTwice() throws {
    try makeNote(at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try title("Arena", at: laptop)
    try world.synchronize(laptop)
    for name in ["Forum", "Baths"] {
      try title(name, at: phone)
      #expect(throws: ConnectionLost.self) {
        try phone.running().synchronize { _ in throw ConnectionLost() }
      }
    }
    for device in [phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Baths"])
    }
    // The server has the later one only when the phone asks.
    #expect(try lost(at: laptop) == ["Arena"])
  }

  @Test(
    "a title was lost without a conflict to the second of two that were sent before anybody asked"
  )
  func replacedTwice() throws {
    try makeNote(at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try title("Arena", at: phone)
    try title("Forum", at: laptop)
    for device in [phone, laptop] { try world.synchronize(device) }
    try title("Baths", at: laptop)
    for device in [laptop, phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Baths"])
      #expect(try lost(at: device) == ["Arena"])
    }
    // A new device has lost nothing.
    let tablet = try world.newDevice()
    try world.synchronize(tablet)
    #expect(try world.titles(of: "Note", at: tablet) == ["Baths"])
    #expect(try lost(at: tablet) == [])
  }

  // MARK: - References

  /// The phone's store shows the cover Circus, and the laptop has made it the Forum.
  private func coverUnseen(untilEndAt moment: SyncMoment) throws {
    try getAcquainted(untilEndAt: moment) {
      try make("Rome", at: phone)
      try makeNotes(["Baths", "Circus", "Forum"], in: "Rome", at: phone)
      try cover(with: "Circus", at: phone)
    } changed: {
      try cover(with: "Forum", at: laptop)
    }
  }

  @Test(
    "a cover stayed that was taken off, because another was learned that the store did not show",
    arguments: moments,
    [false, true]
  )
  func uncovered(moment: SyncMoment, isPurged: Bool) throws {
    try coverUnseen(untilEndAt: moment)
    try uncover("Rome", at: phone)
    if isPurged { try world.purgeHistory(of: phone) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try cover(at: device) == nil)
      #expect(try lost(at: device) == ["Forum"])
    }
  }

  @Test(
    "a cover that was learned was lost without a conflict when the program gave another",
    arguments: moments,
    [false, true]
  )
  func coveredOtherwise(moment: SyncMoment, isPurged: Bool) throws {
    try coverUnseen(untilEndAt: moment)
    try cover(with: "Baths", at: phone)
    if isPurged { try world.purgeHistory(of: phone) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try cover(at: device) == "Baths")
      #expect(try lost(at: device) == ["Forum"])
    }
  }

  /// Makes the Circus, which is the cover of Rome where the phone's store shows it, that of Spain.
  private func giveAway() throws {
    try world.save(at: phone) {
      try Self.folder("Spain", in: $0).setValue(Self.note("Circus", in: $0), forKey: "cover")
    }
  }

  private func coverOfSpain(at device: SimulatedDevice) throws -> String? {
    let context = device.context()
    return try context.performAndWait {
      try Self.folder("Spain", in: context).value(forKeyPath: "cover.title") as? String
    }
  }

  @Test(
    "a folder lost a cover that was learned, because the one that its store showed went to another folder",
    arguments: moments,
    [false, true]
  )
  func givenAway(moment: SyncMoment, isPurged: Bool) throws {
    try getAcquainted(untilEndAt: moment) {
      for title in ["Rome", "Spain"] { try make(title, at: phone) }
      try makeNotes(["Baths", "Circus", "Forum"], in: "Rome", at: phone)
      try cover(with: "Circus", at: phone)
    } changed: {
      try cover(with: "Forum", at: laptop)
    }
    try giveAway()
    if isPurged { try world.purgeHistory(of: phone) }
    for device in [phone, laptop, phone] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try coverOfSpain(at: device) == "Circus")
      #expect(try cover(at: device) == "Forum")
    }
  }

  // MARK: - A store that was put back

  @Test(
    "a folder lost its cover to another folder that got the one before in a store that was put back"
  )
  func givenAwayPutBack() throws {
    try make("Spain", at: phone)
    try putBack()
    try giveAway()
    try exchange()
    for device in [phone, laptop] {
      #expect(try coverOfSpain(at: device) == "Circus")
      #expect(try cover(at: device) == "Forum")
    }
  }

  /// The phone's store is put back to when it showed the cover Circus.
  private func putBack() throws {
    try make("Rome", at: phone)
    try makeNotes(["Baths", "Circus", "Forum"], in: "Rome", at: phone)
    try cover(with: "Circus", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.backUp()
    try cover(with: "Forum", at: laptop)
    for device in [laptop, phone] { try world.synchronize(device) }
    try phone.restore(storeOnly: true)
  }

  @Test("a cover stayed that was taken off in a store that was put back to before it")
  func uncoveredPutBack() throws {
    try putBack()
    try uncover("Rome", at: phone)
    try exchange()
    for device in [phone, laptop] {
      #expect(try cover(at: device) == nil)
      #expect(try lost(at: device) == ["Forum"])
    }
  }

  @Test("a folder lost its cover to one who deleted the one before in a store that was put back")
  func coverDeletedPutBack() throws {
    try putBack()
    try world.save(at: phone) { $0.delete(try Self.note("Circus", in: $0)) }
    try exchange()
    for device in [phone, laptop] { #expect(try cover(at: device) == "Forum") }
  }

  @Test(
    "a cover was lost without a conflict to one given in a store that was put back to before it"
  )
  func coveredOtherwisePutBack() throws {
    try putBack()
    try cover(with: "Baths", at: phone)
    try exchange()
    for device in [phone, laptop] {
      #expect(try cover(at: device) == "Baths")
      #expect(try lost(at: device) == ["Forum"])
    }
  }

  @Test(
    "a title was lost without a conflict to one given in a store that was put back to before it"
  )
  func retitledPutBack() throws {
    try makeNote(at: phone)
    try title("Circus", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    try phone.backUp()
    try title("Arena", at: laptop)
    for device in [laptop, phone] { try world.synchronize(device) }
    try phone.restore(storeOnly: true)
    try title("Forum", at: phone)
    try exchange()
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Forum"])
      #expect(try lost(at: device) == ["Arena"])
    }
  }
}
