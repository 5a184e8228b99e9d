import Foundation
import Synchronization
import Testing

@testable import SlipboxLibrary

/// The clocks of a machine, as a test sets them.
private final class Clocks: Sendable {
  private let state = Mutex(
    ClockReading(wall: Date(timeIntervalSince1970: 1_795_000_000), uptime: 100, boot: "a")
  )

  var reading: ClockReading { state.withLock { $0 } }

  /// The machine is on for a while, and its date goes on.
  func run(_ seconds: TimeInterval) {
    state.withLock {
      $0.wall += seconds
      $0.uptime += seconds
    }
  }

  /// Somebody sets the date.
  func set(ahead seconds: TimeInterval) { state.withLock { $0.wall += seconds } }

  /// The machine is off for a while.
  func sleep(_ seconds: TimeInterval, boot: String) {
    state.withLock {
      $0.wall += seconds
      $0.uptime = 0
      $0.boot = boot
    }
  }
}

struct ClockTests {
  private static let day: TimeInterval = 86_400

  /// A slip box with a note in the trash since now, and its clocks.
  private func trashed(_ test: (Library, Clocks) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clocks = Clocks()
    let library = try Library(
      folder: folder,
      now: { clocks.reading.wall },
      clocks: { clocks.reading }
    )
    defer { library.close() }
    let note = try await library.make(NewNote(title: "kept"), by: nil).note
    _ = try await library.trash([note.id.uuid], by: nil)
    try await test(library, clocks)
  }

  @Test func `a clock forty days ahead for four seconds emptied the trash`() async throws {
    try await trashed { library, clocks in
      for _ in 0..<10 {
        clocks.set(ahead: 40 * Self.day)
        clocks.run(4)
        try await library.purge()
        clocks.set(ahead: -40 * Self.day)
        clocks.run(3_600)
        try await library.purge()
      }
      #expect(try await library.overview().places.trash == 1)
    }
  }

  @Test func `a clock ahead at the first start emptied the trash`() async throws {
    try await trashed { library, clocks in
      clocks.set(ahead: 400 * Self.day)
      clocks.run(4)
      try await library.purge()
      #expect(try await library.overview().places.trash == 1)
    }
  }

  @Test func `the trash is purged after thirty days of a machine that is on`() async throws {
    try await trashed { library, clocks in
      try await library.purge()
      for day in 1...31 {
        #expect(try await library.overview().places.trash == 1, "day \(day)")
        clocks.run(Self.day)
        try await library.purge()
      }
      #expect(try await library.overview().places.trash == 0)
    }
  }

  @Test func `the trash is purged after thirty days of a machine that is off at night`()
    async throws
  {
    try await trashed { library, clocks in
      try await library.purge()
      for day in 1...31 {
        #expect(try await library.overview().places.trash == 1, "day \(day)")
        clocks.run(Self.day / 3)
        try await library.purge()
        clocks.sleep(Self.day * 2 / 3, boot: "\(day)")
        try await library.purge()
      }
      #expect(try await library.overview().places.trash == 0)
    }
  }

  @Test func `a long absence counts when the machine has been on for as long`() async throws {
    try await trashed { library, clocks in
      try await library.purge()
      clocks.sleep(21 * Self.day, boot: "later")
      try await library.purge()
      for _ in 0..<8 {
        clocks.run(Self.day)
        try await library.purge()
      }
      #expect(try await library.overview().places.trash == 1)
      for _ in 0..<10 {
        clocks.run(Self.day)
        try await library.purge()
      }
      #expect(try await library.overview().places.trash == 0)
    }
  }

  @Test func `what a file says of the clock is not believed beyond the date`() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("clock-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for text in ["", "{}", #"{"believed":1e300,"wall":0,"uptime":0}"#, "[1]"] {
      try Data(text.utf8).write(to: file)
      #expect(CautiousClock(file: file) == nil)
    }
    try Data(#"{"believed":1e300,"wall":-1e300,"uptime":0,"boot":"x"}"#.utf8).write(to: file)
    var clock = try #require(CautiousClock(file: file))
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    clock.advance(to: ClockReading(wall: now, uptime: 1, boot: "x"))
    #expect(clock.now <= now)
  }
}
