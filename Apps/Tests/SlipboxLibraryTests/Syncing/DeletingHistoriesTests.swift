import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Devices that write, move, delete and restore at random, with days without a network.
///
/// In the end all have the same notes, and no word is lost that nobody has deleted who had seen it. More histories:
/// `SLIPBOX_HISTORIES=200 Scripts/run-tests --package-path Apps --filter DeletingHistoriesTests`.
@Suite(.serialized) struct DeletingHistoriesTests {
  @Test(arguments: seeds)
  func `no word is lost that nobody has deleted who had seen it`(seed: UInt64) async throws {
    let history = try await DeletingHistory(seed: seed, devices: seed.isMultiple(of: 3) ? 3 : 2)
    for _ in 0..<30 { try await history.step() }
    let lost = try await history.lostAtTheEnd()
    #expect(lost == [], "seed \(seed): \(history.story.joined(separator: "\n"))")
  }

  private static let seeds: [UInt64] = {
    let wanted = ProcessInfo.processInfo.environment["SLIPBOX_HISTORIES"].flatMap(UInt64.init)
    return Array(1...(wanted ?? 3))
  }()
}

/// One such history.
private final class DeletingHistory {
  private let server: SyncServer
  private let boxes: [Box]
  private var online: Set<Int>
  private var numbers: SeededNumbers
  /// The words that were written, of which none was deleted knowingly so far.
  private var words: Set<String> = []
  private var written = 0
  private(set) var story: [String] = []

  init(seed: UInt64, devices: Int) async throws {
    server = try SyncServer()
    boxes = try (0..<devices).map { _ in try Box() }
    online = Set(boxes.indices)
    numbers = SeededNumbers(seed)
    for box in boxes { _ = try await box.library.join(server.address) }
  }

  private func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &numbers)
  }

  func step() async throws {
    guard let device = pick(Array(boxes.indices)) else { return }
    let box = boxes[device]
    box.clock.wait(TimeInterval(Int.random(in: 1...600, using: &numbers)))
    let (notes, folders) = try await Self.content(of: box)
    let (here, trashed) = (notes.filter { !$0.isTrashed }, notes.filter(\.isTrashed))
    let open = folders.filter { !$0.isTrashed }.map(\.id)
    switch Int.random(in: 0..<16, using: &numbers) {
    case 0, 1: try await makeNote(in: pick(open), on: device)
    case 2, 3, 4, 5: if let note = pick(here) { try await write(in: note, on: device) }
    case 6: try await makeFolder(in: pick(open), on: device)
    case 7: if let note = pick(here) { try await move(note, to: pick(open), on: device) }
    case 8, 9: if let note = pick(here) { try await trash(note, on: device) }
    case 10:
      guard let folder = pick(open) else { return }
      tell("trashes a folder", device)
      try await unlessGone { _ = try await box.library.trash(folder: folder, by: nil) }
    case 11:
      guard let note = pick(trashed) else { return }
      tell("restores \(note.id)", device)
      try await unlessGone { _ = try await box.library.restore(note.id, by: nil) }
    case 12: if let note = pick(trashed) { try await erase(note, on: device) }
    case 13: try await emptyTrash(trashed, on: device)
    case 14: try await goOffOrOn(device)
    default:
      tell("exchanges, or keeps the house after an hour", device)
      if online.contains(device) {
        _ = try await box.library.syncNow()
      } else {
        box.clock.wait(2 * 3_600)
        try await box.library.purge()
      }
    }
  }

  private func tell(_ act: String, _ device: Int) {
    story.append("\(device)\(online.contains(device) ? "" : " (away)") \(act)")
  }
}

// MARK: - Acts

extension DeletingHistory {
  private func newWord() -> String {
    written += 1
    let word = "word\(written)."
    words.insert(word)
    return word
  }

  private func makeNote(in folder: UUID?, on device: Int) async throws {
    let word = newWord()
    tell("makes a note with \(word)", device)
    do {
      _ = try await boxes[device].note("Note", word, in: folder)
    } catch LibraryProblem.missing {
      words.remove(word)
    } catch LibraryProblem.refused {
      words.remove(word)
    }
  }

  private func write(in note: FoundNote, on device: Int) async throws {
    let word = newWord()
    tell("writes \(word) in \(note.id)", device)
    let now = boxes[device].clock.now
    do {
      // To the text at that time: parts that have come in since stay.
      try await boxes[device].library.write(by: nil) { context in
        let known = try context.note(note.id)
        let text = known.formattedBodyText.plainText.trimmingCharacters(in: .newlines)
        try known.rewrite(title: nil, text: RichText(plainText: "\(text) \(word)"), at: now)
      }
    } catch LibraryProblem.missing {
      words.remove(word)
    }
  }

  private func makeFolder(in parent: UUID?, on device: Int) async throws {
    tell("makes a folder", device)
    let library = boxes[device].library
    try await unlessGone {
      _ = try await library.makeFolder(id: UUID(), name: "Folder", parent: parent, by: nil)
    }
  }

  private func move(_ note: FoundNote, to folder: UUID?, on device: Int) async throws {
    tell("moves \(note.id)", device)
    try await unlessGone {
      _ = try await boxes[device].library.move([note.id], to: folder, by: nil)
    }
  }

  private func trash(_ note: FoundNote, on device: Int) async throws {
    tell("trashes \(note.id)", device)
    try await unlessGone { _ = try await boxes[device].library.trash([note.id], by: nil) }
  }

  /// Does what is done to something that another device may have deleted by now.
  private func unlessGone(_ act: () async throws -> Void) async throws {
    do { try await act() } catch LibraryProblem.missing {} catch LibraryProblem.refused {}
  }

  private func erase(_ note: FoundNote, on device: Int) async throws {
    tell("deletes \(note.id) for good", device)
    do {
      _ = try await boxes[device].library.deleteForever(note.id, by: nil)
      try await forgetErased(on: device)
    } catch LibraryProblem.missing {
      // Another device has deleted it by now.
    } catch LibraryProblem.refused {
      // Another device has restored it by now.
    }
  }

  private func emptyTrash(_ notes: [FoundNote], on device: Int) async throws {
    tell("empties the trash of \(notes.map(\.id))", device)
    _ = try await boxes[device].library.emptyTrash(by: nil)
    try await forgetErased(on: device)
  }

  /// The device that deletes for good has seen the words of the deleted notes.
  private func forgetErased(on device: Int) async throws {
    let texts = try await boxes[device].library.read { context in
      context.refreshAllObjects()
      return try context.fetch(Note.fetch(NSPredicate(format: "erasedDate_ != nil"))).flatMap {
        try [$0.formattedBodyText.plainText] + Self.wordings(of: $0)
      }
    }
    words = words.filter { word in !texts.contains { $0.contains(word) } }
  }

  /// The other wordings of a note, which it shows.
  private static func wordings(of note: Note) throws -> [String] {
    try OtherWording.open(of: note).compactMap { $0.wording?.lost.plainText }
  }

  private func goOffOrOn(_ device: Int) async throws {
    let container = boxes[device].library.controller.container
    if online.remove(device) != nil {
      tell("goes away", device)
      container.stopSyncing()
    } else {
      try container.startSyncing(at: server.address)
      online.insert(device)
      tell("is back", device)
      _ = try await boxes[device].library.syncNow()
    }
  }
}

// MARK: - The end

extension DeletingHistory {
  private struct FoundNote: Hashable {
    let id: UUID
    let text: String
    let isTrashed: Bool
    let folder: UUID?
  }

  private struct FoundFolder: Hashable {
    let id: UUID
    let isTrashed: Bool
  }

  /// The notes and folders that can be seen, in the order of their identifiers.
  private static func content(of box: Box) async throws -> ([FoundNote], [FoundFolder]) {
    try await box.library.read { context in
      context.refreshAllObjects()
      let there = NSPredicate(format: "erasedDate_ == nil")
      let notes = try context.fetch(Note.fetch(there)).map { note in
        FoundNote(
          id: note.uuid,
          text: note.formattedBodyText.plainText.trimmingCharacters(in: .newlines),
          isTrashed: note.isTrashed,
          folder: note.folder?.uuid
        )
      }
      let folders = try context.fetch(Folder.fetch(there)).map { folder in
        FoundFolder(id: folder.uuid, isTrashed: folder.isTrashed)
      }
      return (
        notes.sorted { $0.id.uuidString < $1.id.uuidString },
        folders.sorted { $0.id.uuidString < $1.id.uuidString }
      )
    }
  }

  /// Lets all devices exchange until they agree, and returns the words that none of them shows, or what differs.
  func lostAtTheEnd() async throws -> [String] {
    for device in boxes.indices where !online.contains(device) { try await goOffOrOn(device) }
    for attempt in 0..<1_000 {
      for box in boxes + boxes { _ = try await box.library.syncNow() }
      for box in boxes { try await box.library.write(by: nil, Library.settle) }
      for box in boxes + boxes { _ = try await box.library.syncNow() }
      if attempt > 0, try await agree() { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    guard try await agree() else { return ["the devices differ"] }
    var shown = try await Self.content(of: boxes[0]).0.map(\.text)
    for box in boxes {
      shown += try await box.library.read { context in
        try context.fetch(Note.fetch(NSPredicate(format: "erasedDate_ == nil")))
          .flatMap(Self.wordings)
      }
      shown += try await box.library.syncConflicts().flatMap { $0.fields.map(\.lost) }
    }
    return words.filter { word in !shown.contains { $0.contains(word) } }.sorted()
  }

  private func agree() async throws -> Bool {
    let first = try await Self.content(of: boxes[0])
    for box in boxes.dropFirst() {
      let other = try await Self.content(of: box)
      if other != first { return false }
    }
    return true
  }
}
