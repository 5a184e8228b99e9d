import RichText
import Testing

@testable import SlipboxLibrary

/// Texts with lineages, without a store and a server.
struct LineageTests {
  @Test func `a lineage is read as it was written, and others are not`() throws {
    let lineage = Lineage(ofNew: "a", root: -3).edited(to: "b", by: "desk", at: 7)
      .edited(to: "c", by: "phone", at: 9)
    #expect(Lineage(text: lineage.text) == lineage)
    for text in [
      "", "1", "1 2", "2 0 0", "1 0 0 desk", "1 0 0 desk:0", "1 0 0 desk:9223372036854775807",
      "1 0 0 desk:1:2", "1 x 0", String(repeating: "1 ", count: 20_000),
      "1 0 0 " + (0..<300).map { "w\($0):1" }.joined(separator: " "),
    ] {
      #expect(Lineage(text: text) == nil, "\(text.prefix(40))")
    }
  }

  @Test func `edits of two devices are apart until they were put together`() {
    let first = Lineage(ofNew: "a")
    let desk = first.edited(to: "b", by: "desk", at: 5)
    let phone = first.edited(to: "c", by: "phone", at: 3)
    #expect(desk.age(besides: first) == .newer && first.age(besides: desk) == .older)
    #expect(desk.age(besides: phone) == .apart && desk.prevails(over: phone))
    let both = desk.joined(with: phone, as: "bc")
    #expect(both.age(besides: desk) == .newer && both.age(besides: phone) == .newer)
    #expect(phone.joined(with: desk, as: "bc") == both)
    // Also with a clock that has gone back.
    #expect(desk.edited(to: "d", by: "desk", at: 1).age(besides: desk) == .newer)
  }

  @Test func `a note that was edited in many sessions has a lineage of bounded length`() {
    var lineage = Lineage(ofNew: "")
    for session in 0..<1_000 {
      lineage = lineage.edited(to: "\(session)", by: "w\(session)", at: Int64(session + 1))
    }
    #expect(lineage.edits.count == 256 && lineage.edits["w999"] == 1_000)
    #expect(Lineage(text: lineage.text) == lineage)
  }

  @Test func `of many earlier texts some of each age stay`() {
    var known = KnownText(TextState(lineage: Lineage(ofNew: "first"), value: "first"))
    for number in 1...200 {
      known.edit(to: "\(number)", by: "desk", at: Int64(number * 1_000))
    }
    #expect(known.earlier.count <= 6)
    #expect(known.earlier.first?.value == "first" && known.earlier.last?.value == "199")
    let large = String(repeating: "x", count: 400_000)
    for number in 1...10 {
      known.edit(to: "\(large)\(number)", by: "desk", at: Int64(300_000 + number))
    }
    #expect(known.earlier.count <= 3)
    #expect(KnownTexts(texts(known).data) == texts(known))
  }

  private func texts(_ known: KnownText) -> KnownTexts {
    var texts = KnownTexts()
    texts.text = known
    return texts
  }

  @Test func `no word was lost, and all devices came to the same text`() {
    for seed in 0..<300 {
      let history = LineageHistory(UInt64(seed), devices: 2 + seed % 2)
      #expect(history.run() == [], "seed \(seed)")
    }
  }
}

/// Devices that edit a text at random, and exchange it over a server that keeps the later of two.
private final class LineageHistory {
  private struct Cell {
    var state: TextState
    var stamp: (Int, Int)
  }

  private var cells: [Cell]
  private var known: [KnownText]
  private var server: Cell
  private var numbers: SeededNumbers
  private var time = 0
  private var words: [String] = []
  private var wordings: [String] = []

  init(_ seed: UInt64, devices: Int) {
    numbers = SeededNumbers(seed)
    let text = RichText(plainText: "old1 old2 old3 old4\nold5 old6 old7\nold8 old9").json
    let lineage = Lineage(ofNew: text, root: Lineage.digest(of: text))
    let first = TextState(lineage: lineage, value: text)
    server = Cell(state: first, stamp: (0, 0))
    cells = Array(repeating: server, count: devices)
    known = Array(repeating: KnownText(first), count: devices)
  }

  /// - Returns: The words that are lost, or the texts that differ.
  func run() -> [String] {
    for _ in 0..<30 {
      let device = Int.random(in: 0..<cells.count, using: &numbers)
      time += 1
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: push(device)
      case 1: pull(device)
      default: type(device)
      }
    }
    for _ in 0..<10 {
      for device in cells.indices {
        push(device)
        pull(device)
        push(device)
      }
    }
    let texts = Set(cells.map(\.state.value))
    if texts.count > 1 { return texts.map(plain) }
    let all = texts.map(plain) + wordings
    return words.filter { word in !all.contains { $0.contains(word) } }
  }

  private func plain(_ json: String) -> String { (try? RichText(json: json))?.plainText ?? "" }

  private func push(_ device: Int) {
    if cells[device].stamp > server.stamp { server = cells[device] }
  }

  private func pull(_ device: Int) {
    guard server.stamp > cells[device].stamp else { return }
    cells[device] = server
    time += 1
    _ = known[device].adopt(server.state) { one, other, base in
      let texts = [one, other, base ?? ""].map { try? RichText(json: $0) }
      guard let text = texts[0], let changed = texts[1] else { return nil }
      let joined =
        texts[2].map { text.joined(with: changed, since: $0) } ?? text.joined(with: changed)
      wordings += joined.wordings.map(\.lost.plainText)
      return joined.text.json
    }
    let state = known[device].current
    if state.value != server.state.value {
      cells[device] = Cell(state: state, stamp: (time, device))
    }
  }

  private func type(_ device: Int) {
    var lines = plain(cells[device].state.value).split(separator: "\n").map(String.init)
    let line = Int.random(in: 0..<lines.count, using: &numbers)
    var typed = lines[line].split(separator: " ").map(String.init)
    let place = Int.random(in: 0...typed.count, using: &numbers)
    let word = "word\(words.count)x"
    words.append(word)
    if place < typed.count, typed[place].hasPrefix("old") {
      typed[place] = word
    } else {
      typed.insert(word, at: place)
    }
    lines[line] = typed.joined(separator: " ")
    let text = RichText(plainText: lines.joined(separator: "\n")).json
    known[device].edit(to: text, by: "device\(device)", at: Int64(time * 1_000))
    cells[device] = Cell(state: known[device].current, stamp: (time, device))
  }
}
