import Foundation
import RichText

/// A note of Apple's Notes, from Apple's copy of a person's data: plain text, whose first line is the title.
///
/// ```
/// A walk
/// ⇥◦⇥Pack the bag        a task      ⇥✓⇥ one that is done
/// * Oak                  an item, as are  - Oak  and  1. Oak
/// ￼                      a picture or a file that lies beside the text
/// ```
struct AppleNote {
  private(set) var title: String?
  private var blocks: [RichText.Block] = []

  /// Lines of text that are not a block yet.
  private var lines: [String] = []
  private var files: ArraySlice<RichText.Attached>

  /// - Parameters:
  ///   - words: The text.
  ///   - files: The files beside it, in its order.
  init(_ words: String, files: [RichText.Attached]) {
    self.files = files[...]
    var rest = words.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    rest = rest.drop { $0.allSatisfy(\.isWhitespace) }
    if let first = rest.popFirst() {
      let line = first.filter { $0 != Self.placeholder }
      title = RichText([.paragraph([.text(line)])]).excerpt(Self.longestTitle)
      // A writer without a title begins with a paragraph.
      if line.count > Self.longestTitle { lines.append(line) }
      // A note that begins with a picture has that in its first line.
      if first.contains(Self.placeholder) {
        endLines()
        addFiles(in: first)
      }
    }
    for line in rest { read(line) }
    endLines()
    while let file = self.files.popFirst() { add(file) }
  }

  func file(_ facts: AppleFacts) -> MarkdownFile {
    var file = MarkdownFile(title: title, text: RichText(blocks))
    file.created = facts.created
    file.modified = facts.modified
    return file
  }

  private static let longestTitle = 120
  private static let placeholder: Character = "\u{FFFC}"
}

extension AppleNote {
  private mutating func read(_ line: Substring) {
    if let (mark, words) = Self.item(line) {
      let text: [RichText.Inline] = words.isEmpty ? [] : [.text(words)]
      endLines()
      switch mark {
      case .task(let isDone): add(RichText.TaskItem(isDone: isDone, [.paragraph(text)]))
      case .bullet: add(RichText.ListItem([.paragraph(text)]), number: nil)
      case .number(let number): add(RichText.ListItem([.paragraph(text)]), number: number)
      }
    } else if line.allSatisfy(\.isWhitespace) {
      endLines()
    } else if line.contains(Self.placeholder) {
      let words = line.filter { $0 != Self.placeholder }
      if !words.allSatisfy(\.isWhitespace) { lines.append(words) }
      endLines()
      addFiles(in: line)
    } else {
      lines.append(String(line))
    }
  }

  private enum Mark {
    case task(isDone: Bool)
    case bullet
    case number(Int)
  }

  private static func item(_ line: Substring) -> (Mark, words: String)? {
    for (sign, isDone) in [("\t\u{25E6}\t", false), ("\t\u{2713}\t", true)]
    where line.hasPrefix(sign) {
      return (.task(isDone: isDone), String(line.dropFirst(sign.count)))
    }
    let line = line.drop(while: \.isWhitespace)
    if line.contains(placeholder) { return nil }
    for sign in ["* ", "- ", "• ", "*\t", "-\t", "•\t"] where line.hasPrefix(sign) {
      return (.bullet, String(line.dropFirst(sign.count)))
    }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    guard let number = WholeNumber.read(digits, within: 0...999_999_999),
      line[digits.endIndex...].hasPrefix(". ")
    else { return nil }
    return (.number(number), String(line.dropFirst(digits.count + 2)))
  }

  /// Lines below each other are lines of one paragraph.
  private mutating func endLines() {
    if lines.isEmpty { return }
    let line = lines.flatMap { [RichText.Inline.hardBreak, .text($0)] }.dropFirst()
    blocks.append(.paragraph(Array(line)))
    lines = []
  }

  private mutating func addFiles(in line: Substring) {
    for _ in line.filter({ $0 == Self.placeholder }) {
      if let file = files.popFirst() { add(file) }
    }
  }

  private mutating func add(_ file: RichText.Attached) {
    switch file {
    case .picture(let id): blocks.append(.picture(.init(file: id)))
    case .file(let id, let name): blocks.append(.file(.init(file: id, name: name)))
    }
  }

  // A list is taken out before it grows: one that two places hold would be copied each time.

  private mutating func add(_ task: RichText.TaskItem) {
    guard case .taskList(var items)? = blocks.last else {
      return blocks.append(.taskList([task]))
    }
    blocks.removeLast()
    items.append(task)
    blocks.append(.taskList(items))
  }

  private mutating func add(_ item: RichText.ListItem, number: Int?) {
    switch (blocks.last, number) {
    case (.bulletList(var items)?, nil):
      blocks.removeLast()
      items.append(item)
      blocks.append(.bulletList(items))
    case (.orderedList(let start, var items)?, _?):
      blocks.removeLast()
      items.append(item)
      blocks.append(.orderedList(start: start, items))
    case (_, nil): blocks.append(.bulletList([item]))
    case (_, let number?): blocks.append(.orderedList(start: number, [item]))
    }
  }
}
