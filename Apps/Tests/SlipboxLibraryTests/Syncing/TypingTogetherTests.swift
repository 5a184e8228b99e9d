import CoreData
import CoreDataStrictJSON
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Three devices that type in one note at random, with days without a network and exchanges that stop halfway.
///
/// In the end all show the same, and every word is in the note or in one of its other wordings, on each device. More
/// rounds: `SLIPBOX_ROUNDS=200 Scripts/run-tests --package-path Apps --filter TypingTogetherTests`.
@Suite(.serialized) struct TypingTogetherTests {
  @Test func `no word was lost that was typed on three devices at once`() async throws {
    let typing = try await TypingTogether(devices: 3)
    for round in 1...Self.rounds {
      try await typing.round(UInt64(round))
      let faults = try await typing.faults()
      #expect(faults == [], "round \(round): \(typing.story.joined(separator: "\n"))")
      if !faults.isEmpty { break }
    }
  }

  private static let rounds =
    ProcessInfo.processInfo.environment["SLIPBOX_ROUNDS"].flatMap(Int.init) ?? 12
}

/// The devices, and the note of a round.
private final class TypingTogether {
  private let server: SyncServer
  private let boxes: [Box]
  private var online: Set<Int>
  private var numbers = SeededNumbers(0)
  private var note = UUID()
  /// The words that were typed in this round.
  private var words: [String] = []
  private(set) var story: [String] = []
  /// The text in a page of each device, which may be older than the note.
  private var pages: [Int: (revision: Int64, text: RichText, title: String)] = [:]

  init(devices: Int) async throws {
    server = try SyncServer()
    boxes = try (0..<devices).map { _ in try Box() }
    online = Set(boxes.indices)
    for box in boxes { _ = try await box.library.join(server.address) }
  }

  func round(_ seed: UInt64) async throws {
    (numbers, words, story, pages) = (SeededNumbers(seed), [], [], [:])
    note = UUID()
    var new = NewNote(title: "Plan \(seed)")
    new.id = note
    new.document = JSONValue(text: Self.beginning.json)
    _ = try await boxes[0].library.make(new, by: nil)
    try await exchangeUntilAllAgree()
    for _ in 0..<24 { try await step() }
    try await exchangeUntilAllAgree()
  }

  private static let beginning = RichText([
    .paragraph([.text("old1 old2 old3 old4 old5.")]),
    .bulletList([
      .init([.paragraph([.text("old6 old7")])]), .init([.paragraph([.text("old8 old9 old10")])]),
    ]),
    .paragraph([.text("old11 "), .text("old12 old13", [.bold])]),
    .heading(.two, [.text("old14 old15")]),
  ])

  private func step() async throws {
    let device = Int.random(in: 0..<boxes.count, using: &numbers)
    boxes[device].clock.wait(TimeInterval(Int.random(in: 1...40, using: &numbers)))
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0..<5: try await type(on: device)
    case 5: try await changeTitle(on: device)
    case 6, 7, 8:
      guard online.contains(device) else { return }
      tell("exchanges", device)
      _ = try await boxes[device].library.syncNow()
    case 9: try await cut(device)
    default: try await goOffOrOn(device)
    }
  }

  private func tell(_ act: String, _ device: Int) {
    story.append("\(device)\(online.contains(device) ? "" : " (away)") \(act)")
  }
}

// MARK: - Typing

extension TypingTogether {
  private func newWord(_ device: Int) -> String {
    let word = "word\(words.count)on\(device)x"
    words.append(word)
    return word
  }

  /// Types in what a page shows, which is the note of this moment or of an earlier one.
  private func type(on device: Int) async throws {
    let library = boxes[device].library
    if pages[device] == nil || Int.random(in: 0..<3, using: &numbers) > 0 { try await read(device) }
    guard let page = pages[device] else { return }
    let text = RichText(typed(page.text.blocks, device))
    var edit = NoteEdit()
    edit.base = page.revision
    edit.document = JSONValue(text: text.json)
    tell("types: \(text.plainText.replacing("\n", with: " | "))", device)
    do {
      let answer = try await library.edit(note, edit, by: nil)
      // A page goes on with what is there now.
      pages[device] = nil
      if !answer.merged { pages[device] = (answer.note.revision, text, answer.note.title) }
    } catch LibraryProblem.stale {
      tell("keeps its version beside the note", device)
      pages[device] = nil
    }
  }

  private func read(_ device: Int) async throws {
    let content = try await boxes[device].library.note(note)
    pages[device] = (content.revision, try RichText(document: content.document), content.title)
  }

  private func typed(_ blocks: [RichText.Block], _ device: Int) -> [RichText.Block] {
    var blocks = blocks
    let place = Int.random(in: 0..<blocks.count, using: &numbers)
    switch blocks[place] {
    case .paragraph(let line) where Int.random(in: 0..<6, using: &numbers) == 0:
      blocks[place...place] = [.paragraph(line), .paragraph([.text(newWord(device))])]
    case .paragraph(let line): blocks[place] = .paragraph(typed(line, device))
    case .heading(let level, let line): blocks[place] = .heading(level, typed(line, device))
    case .bulletList(var items):
      let item = Int.random(in: 0..<items.count, using: &numbers)
      items[item].blocks = typed(items[item].blocks, device)
      blocks[place] = .bulletList(items)
    default: break
    }
    return blocks
  }

  private func typed(_ line: [RichText.Inline], _ device: Int) -> [RichText.Inline] {
    let pieces = line.flatMap { piece -> [RichText.Inline] in
      guard case .text(let text, let marks) = piece else { return [piece] }
      return text.split(separator: " ", omittingEmptySubsequences: false).map {
        .text(String($0), marks)
      }
    }
    var words = pieces
    let place = Int.random(in: 0...words.count, using: &numbers)
    if place < words.count, case .text(let old, _) = words[place], old.hasPrefix("old") {
      words[place] = .text(newWord(device))
    } else {
      words.insert(.text(newWord(device)), at: place)
    }
    return Array(words.map { [$0] }.joined(separator: [.text(" ")]))
  }

  private func changeTitle(on device: Int) async throws {
    try await read(device)
    guard let page = pages[device] else { return }
    var edit = NoteEdit()
    edit.base = page.revision
    edit.title = "\(page.title) \(newWord(device))"
    tell("changes the title to \(edit.title ?? "")", device)
    do {
      _ = try await boxes[device].library.edit(note, edit, by: nil)
    } catch LibraryProblem.stale {
      tell("keeps its title beside the note", device)
    }
    pages[device] = nil
  }
}

// MARK: - The network

extension TypingTogether {
  private func goOffOrOn(_ device: Int) async throws {
    let container = boxes[device].library.controller.container
    if online.remove(device) != nil {
      tell("goes away", device)
      container.stopSyncing()
    } else {
      try container.startSyncing(at: server.address)
      online.insert(device)
      tell("is back", device)
    }
  }

  /// Stops an exchange somewhere on its way.
  private func cut(_ device: Int) async throws {
    guard online.contains(device) else { return }
    tell("exchanges until its line is cut", device)
    let library = boxes[device].library
    let exchange = Task { _ = try await library.syncNow() }
    try await Task.sleep(for: .microseconds(Int.random(in: 0..<12_000, using: &numbers)))
    library.controller.container.stopSyncing()
    online.remove(device)
    // The exchange says that it was stopped, or that it was complete before.
    _ = await exchange.result
  }

  private func exchangeUntilAllAgree() async throws {
    for device in boxes.indices where !online.contains(device) { try await goOffOrOn(device) }
    for attempt in 0..<500 {
      for box in boxes + boxes { _ = try await box.library.syncNow() }
      let shown = try await contents()
      if attempt > 0, Set(shown).count == 1 { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

// MARK: - The end

extension TypingTogether {
  private struct Content: Hashable {
    let title: String
    let text: String
    let wordings: Set<String>
    let copies: String
  }

  private func contents() async throws -> [Content] {
    var contents: [Content] = []
    for box in boxes {
      let id = note
      contents.append(
        try await box.library.read { context in
          context.refreshAllObjects()
          guard let note = try Note.find(id, in: context) else {
            return Content(title: "", text: "", wordings: [], copies: "")
          }
          return Content(
            title: note.title,
            text: note.formattedBodyText.plainText,
            wordings: Set(
              try OtherWording.open(of: note).map {
                $0.isOfTitle ? $0.lost_ ?? "" : $0.wording?.lost.plainText ?? ""
              }
            ),
            copies: note.backLinkedNotes.map { $0.title + $0.formattedBodyText.plainText }.sorted()
              .joined()
          )
        }
      )
    }
    return contents
  }

  /// The words that a device does not show, or the difference between the devices.
  func faults() async throws -> [String] {
    let contents = try await contents()
    if Set(contents).count > 1 { return ["the devices differ: \(contents)"] }
    guard let content = contents.first else { return [] }
    let all = [content.title, content.text, content.copies] + content.wordings
    let lost = words.filter { word in !all.contains { $0.contains(word) } }
    return lost.isEmpty ? [] : lost.map { "\($0) is lost" } + ["\(content)"]
  }
}
