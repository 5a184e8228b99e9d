/// Looks for parts that become something else, in the words of blocks while these are found.
///
/// ```
/// 12   #### So               a heading of level 4
/// 13   - [/] half done       a task that is neither done nor not
/// 14   a <kbd>key</kbd>      a tag
/// 15   ![[Slots]]            shown: what it is, only those around the text know
/// ```
struct MarkdownWatch {
  /// The changes that were found, with the first line of each.
  private(set) var found: [TextChange: Int] = [:]

  /// The things that the text shows inside of itself, in the order of the text.
  private(set) var shown: [Shown] = []

  struct Shown {
    let address: String

    /// Whether it is `![[Slots]]`, and not `![words](address)`.
    var isName = false
    /// Whether it is alone on its line, where a note is shown.
    var isAlone = false
    /// Whether it is `<img src="address">`, which stays as it is written if the file is missing.
    var isTag = false
    let line: Int
  }

  /// Nobody needs to hear of all of them.
  private static let mostShown = 10_000

  private mutating func note(_ change: TextChange, _ line: Int) {
    found[change] = min(found[change] ?? line, line)
  }
}

// MARK: - Blocks

extension MarkdownWatch {
  /// Reads what an item of a list begins with.
  mutating func readItem(_ words: ArraySlice<UInt8>, isNumbered: Bool, line: Int) {
    let box = Array(String(decoding: words.prefix(8), as: UTF8.self).unicodeScalars.prefix(4))
    guard box.count > 2, box[0] == "[", box[2] == "]",
      box.count == 3 || box[3].properties.isWhitespace
    else { return }
    let isTask = [" ", "x", "X"].contains(box[1])
    // A number between brackets is one of something else.
    let isOther = !"[]^\\0123456789".unicodeScalars.contains(box[1])
    if isTask ? isNumbered : isOther { note(.task, line) }
  }

  /// Reads the words of a block whose first line has a number.
  mutating func read(_ words: ArraySlice<UInt8>, line: Int, isParagraph: Bool = false) {
    guard words.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "!") }) else {
      return
    }
    let text = Array(String(decoding: words, as: UTF8.self).unicodeScalars)
    let lastBackticks = Self.lastBackticks(in: text)
    var line = line
    var position = 0
    while position < text.count {
      let start = position
      position += 1
      switch text[start] {
      case "\\" where position < text.count && text[position] != "\n": position += 1
      case "`": position = Self.endOfCode(in: text, from: start, lastBackticks)
      case "<":
        if let image = MarkdownScan.image(text, from: start), shown.count < Self.mostShown {
          shown.append(Shown(address: image.address, isTag: true, line: line))
          position = start + image.length
        } else if Self.isTag(text, from: start) {
          note(.html, line)
        }
      case "!" where position < text.count && text[position] == "[":
        if shown.count < Self.mostShown, var new = Self.place(in: text, from: position, line) {
          new.isAlone = new.isAlone && isParagraph
          shown.append(new)
        }
      default: break
      }
      for scalar in text[start..<position] where scalar == "\n" { line += 1 }
    }
  }
}

// MARK: - Words

extension MarkdownWatch {
  /// The text between the brackets of `![[Slots|300]]`, or in the parentheses of `![A tree](tree.png)`.
  private static func place(
    in text: [Unicode.Scalar],
    from bracket: Int,
    _ line: Int
  ) -> Shown? {
    if bracket + 1 < text.count, text[bracket + 1] == "[" {
      return MarkdownScan.note(text, from: bracket + 2)
        .map { note in
          let end = bracket + 2 + note.length
          let isAlone = MarkdownScan.isAlone(text, from: bracket - 1, to: end)
          return Shown(address: note.title, isName: true, isAlone: isAlone, line: line)
        }
    }
    // Goes no further than the next bracket, so that no character is looked at twice.
    let near = text[(bracket + 1)...].prefix(1_000).prefix { $0 != "\n" && $0 != "[" }
    guard
      let end = near.indices.dropLast().first(where: { near[$0] == "]" && near[$0 + 1] == "(" }),
      let target = MarkdownScan.target(text, from: end + 2)
    else { return nil }
    return Shown(address: target.address, line: line)
  }

  /// Whether a `<` begins a tag, or a remark, that is not understood.
  private static func isTag(_ text: [Unicode.Scalar], from start: Int) -> Bool {
    if MarkdownScan.lineBreak(text, from: start) != nil { return false }
    if MarkdownScan.tag(text, from: start) != nil { return false }
    let near = text[(start + 1)...].prefix(2_000)
    // Bear's remark about a picture.
    if near.starts(with: "!--".unicodeScalars) {
      return !near.starts(with: "!-- {\"".unicodeScalars)
    }
    let name = near.drop { $0 == "/" }
    guard let first = name.first, isLetter(first) else { return false }
    let rest = name.drop { isLetter($0) || ("0"..."9").contains($0) || $0 == "-" }
    // Not an address: `<https://example.org>`.
    guard let next = rest.first, next == ">" || next == "/" || next.properties.isWhitespace,
      let end = rest.firstIndex(where: { $0 == ">" || $0 == "<" })
    else { return false }
    return rest[end] == ">"
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  /// The last row of so many backticks, by their number.
  private static func lastBackticks(in text: [Unicode.Scalar]) -> [Int: Int] {
    var last: [Int: Int] = [:]
    var index = 0
    while index < text.count {
      let start = index
      while index < text.count, text[index] == "`" { index += 1 }
      if index > start { last[index - start] = start } else { index += 1 }
    }
    return last
  }

  /// The end of the code that a row of backticks begins, or the row itself if it begins none.
  private static func endOfCode(
    in text: [Unicode.Scalar],
    from start: Int,
    _ lastBackticks: [Int: Int]
  ) -> Int {
    var inside = start
    while inside < text.count, text[inside] == "`" { inside += 1 }
    let count = inside - start
    guard lastBackticks[count] ?? -1 > start else { return inside }
    var index = inside
    while index < text.count {
      let run = index
      while index < text.count, text[index] == "`" { index += 1 }
      if index - run == count { return index }
      if index == run { index += 1 }
    }
    return inside
  }
}

// MARK: - Telling

extension MarkdownSurroundings {
  /// Says what becomes something else, of each kind once, with its first line.
  func tell(_ watch: MarkdownWatch) {
    guard let changed else { return }
    for (change, line) in watch.found { changed(change, line) }
    var told: Set<TextChange> = []
    for shown in watch.shown {
      guard let change = becoming(of: shown), told.insert(change).inserted else { continue }
      changed(change, shown.line)
    }
  }

  /// The change of something that a text shows; `nil` if it is shown.
  private func becoming(of shown: MarkdownWatch.Shown) -> TextChange? {
    let address = shown.address
    if RichText.Attached(address: address) != nil || fileAt(address) != nil { return nil }
    if shown.isTag { return .html }
    if shown.isName {
      if link(named: address) == nil { return .missingFile }
      return shown.isAlone ? nil : .embeddedNote
    }
    if RichText.Link(address) != nil { return .webPicture }
    return link(at: address) == nil ? .missingFile : .embeddedNote
  }

  /// The same for a part of a file that has so many lines before it.
  func below(_ lineCount: Int) -> MarkdownSurroundings {
    guard let changed else { return self }
    var surroundings = self
    surroundings.changed = { changed($0, $1 + lineCount) }
    return surroundings
  }
}
