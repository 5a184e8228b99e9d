/// The lists of a document, as the table at its beginning and by number in its paragraphs.
///
/// Lists inside one another share a number as long as every level is of one kind; two lists of one
/// level next to each other have two numbers, or they would be one.
struct RTFListTable {
  private var lists: [[RTFLists.Kind]] = []

  /// The number of a list that begins here.
  mutating func list(
    of kind: RTFLists.Kind,
    level: Int,
    inside outer: Int?,
    isNew: Bool
  ) -> Int {
    if let outer, !isNew {
      let levels = lists[outer - 1]
      if levels.count == level { lists[outer - 1].append(kind) }
      if levels.count == level || (level < levels.count && levels[level] == kind) { return outer }
    }
    let levels = outer.map { Array(lists[$0 - 1].prefix(level)) } ?? []
    lists.append(levels + [kind])
    return lists.count
  }

  /// Both tables; nothing without lists.
  var text: String {
    if lists.isEmpty { return "" }
    let numbers = lists.indices.map { $0 + 1 }
    let table = numbers.map {
      "{\\list\\listtemplateid\($0)\\listhybrid\(levels($0)){\\listname ;}\\listid\($0)}"
    }
    let overrides = numbers.map { "{\\listoverride\\listid\($0)\\listoverridecount0\\ls\($0)}" }
    return "{\\*\\listtable\(table.joined(separator: "\n"))}\n"
      + "{\\*\\listoverridetable\(overrides.joined())}\n"
  }

  private func levels(_ number: Int) -> String {
    lists[number - 1].enumerated().map { level, kind in
      let indent = RTFLayout.listIndent + level * RTFLayout.levelIndent
      return "{\\listlevel" + Self.description(of: kind, level: level, number: number)
        + "\\fi-360\\li\(indent)\\lin\(indent) }"
    }.joined()
  }

  private static func description(of kind: RTFLists.Kind, level: Int, number: Int) -> String {
    let template = "\\leveltemplateid\(number * 100 + level + 1)"
    let (type, start, marker, text, numbers) =
      switch kind {
      case .bullets: (23, 1, "\\{disc\\}", "\\'01\\uc0\\u8226 ", "")
      case .tasks: (23, 1, "\\{box\\}", "\\'01\\uc0\\u9744 ", "")
      case .numbers(let start):
        (0, start, "\\{decimal\\}.", "\\'02\\'0\(String(level, radix: 16)).", "\\'01")
      }
    return "\\levelnfc\(type)\\levelnfcn\(type)\\leveljc0\\leveljcn0\\levelfollow0"
      + "\\levelstartat\(start)\\levelspace360\\levelindent0"
      + "{\\*\\levelmarker \(marker)}{\\leveltext\(template)\(text);}{\\levelnumbers\(numbers);}"
  }
}
