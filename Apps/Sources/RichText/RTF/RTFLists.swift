import CoreDataStrictJSON

/// The lists that an RTF file has defined, by the number that paragraphs call them.
///
/// ```
/// {\*\listtable{\list{\listlevel\levelnfc0\levelstartat3{\*\levelmarker \{decimal\}.}…}\listid7}}
/// {\*\listoverridetable{\listoverride\listid7\ls1}}
///
/// list 1, level 0: numbers from 3
/// ```
struct RTFLists {
  enum Kind: Equatable {
    case bullets
    case numbers(start: Int)
    case tasks
  }

  private struct Level {
    var isNumbered = false
    var start = 1
    var marker = ""
  }

  /// Lists by the number of their definition, and numbers of definitions by those of paragraphs.
  private var levels: [Int: [Level]] = [:]
  private var definitions: [Int: Int] = [:]

  /// The list being defined.
  private var current: [Level] = []
  private var definition = 0

  /// The kind of a list's paragraphs; the file's definition of the list counts less than the marker before the
  /// paragraph.
  func kind(list: Int, level: Int, marker: String) -> Kind {
    let level = definitions[list].flatMap { levels[$0] }.flatMap { $0.dropFirst(level).first }
    let text = marker.trimmed
    if text.contains(where: { "☐☑☒✓✔".contains($0) }) { return .tasks }
    if let level, level.marker.contains("box") || level.marker.contains("check") { return .tasks }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    if let number = WholeNumber.read(digits, within: 0...999_999_999) {
      return .numbers(start: number)
    }
    if let level { return level.isNumbered ? .numbers(start: level.start) : .bullets }
    let isLetter =
      text.count <= 6 && text.first?.isLetter == true && ".)".contains(text.last ?? " ")
    return isLetter ? .numbers(start: 1) : .bullets
  }

  static func isDone(marker: String) -> Bool {
    marker.contains { "☑☒✓✔".contains($0) }
  }
}

// MARK: - Definitions

extension RTFLists {
  mutating func read(_ word: String, _ number: Int?) {
    switch word {
    case "list": current = []
    case "listlevel": if current.count < 16 { current.append(Level()) }
    case "levelnfc": change { $0.isNumbered = number != 23 && number != 255 }
    case "levelstartat": change { $0.start = number ?? 1 }
    case "listid":
      definition = number ?? 0
      if !current.isEmpty { levels[definition] = current }
      current = []
    case "ls": definitions[number ?? 0] = definition
    default: break
    }
  }

  mutating func addMarker(_ byte: UInt8) {
    change {
      if $0.marker.utf8.count < 32 { $0.marker.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
  }

  private mutating func change(_ change: (inout Level) -> Void) {
    guard !current.isEmpty else { return }
    change(&current[current.count - 1])
  }
}

extension String {
  var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }
}
