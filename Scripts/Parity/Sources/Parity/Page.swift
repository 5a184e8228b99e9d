/// The page that says of each of Apple's symbols whether it is here.
struct Page {
  private let ours: OurSymbols
  private var notes: Notes
  private var counts = Counts()
  /// The reasons why the page cannot be written, in sentences.
  private(set) var complaints: [String] = []

  struct Counts {
    var present = 0
    var differing = 0
    var absent = 0
    var absentAndDeprecated = 0
  }

  init(_ ours: OurSymbols, notes: Notes) {
    self.ours = ours
    self.notes = notes
  }

  mutating func text(for symbols: AppleSymbols, introduction: String, closing: String) -> String {
    let body = symbols.groups.map { section($0) }.joined(separator: "\n")
    for name in notes.unused.sorted() {
      complaints.append("Notes.txt speaks of \(name), which is no symbol of Symbols.txt")
    }
    let summary = """
      ## Symbol by symbol

      Of Apple's \(counts.present + counts.differing + counts.absent) public declarations \
      \(counts.present) are here, \(counts.differing) are here and differ, \(counts.absent) are \
      absent, \(counts.absentAndDeprecated) of these deprecated by Apple (†). Types count as \
      declarations.

      """
    return introduction + "\n" + summary + "\n" + body + "\n" + closing
  }

  private mutating func section(_ group: AppleSymbols.Group) -> String {
    var lines = ["### \(group.name)", ""]
    if !group.globals.isEmpty { lines += table(group.globals, of: nil) }
    for type in group.types { lines += rows(of: type) }
    return lines.joined(separator: "\n")
  }

  private mutating func rows(of type: AppleSymbols.AppleType) -> [String] {
    let title = "\(type.isDeprecated ? "† " : "")`\(type.name)`"
    let note = notes.note(on: type.name)
    guard ours.has(type: type.name) else {
      counts.absent += 1 + type.members.count
      if type.isDeprecated { counts.absentAndDeprecated += 1 + type.members.count }
      if note == nil { complaints.append("Notes.txt does not say why \(type.name) is absent") }
      return ["\(title): **absent**, \(note ?? "")", ""]
    }
    if note == nil { counts.present += 1 } else { counts.differing += 1 }
    let heading = "#### \(title)" + (note.map { "\n\nDiffers: \($0)" } ?? "")
    return [heading, ""] + table(type.members, of: type.name)
  }

  private mutating func table(_ symbols: [AppleSymbol], of type: String?) -> [String] {
    guard !symbols.isEmpty else { return [] }
    var lines = ["| declaration | here |", "|---|---|"]
    var seen: [String: Int] = [:]
    for symbol in symbols {
      seen[symbol.key, default: 0] += 1
      let isHere = ours.count(of: symbol.key, in: type) >= seen[symbol.key] ?? 1
      lines.append(line(symbol, of: type, isHere: isHere))
    }
    return lines + [""]
  }

  private mutating func line(_ symbol: AppleSymbol, of type: String?, isHere: Bool) -> String {
    let name = type.map { "\($0).\(symbol.key)" } ?? symbol.key
    let note = notes.note(on: name)
    let declaration = symbol.declaration.replacing("|", with: "\\|")
    let head = "| \(symbol.isDeprecated ? "† " : "")`\(declaration)` | "
    if isHere {
      if note == nil { counts.present += 1 } else { counts.differing += 1 }
      return head + (note.map { "differs: \($0)" } ?? "yes") + " |"
    }
    counts.absent += 1
    if symbol.isDeprecated { counts.absentAndDeprecated += 1 }
    if note == nil, !symbol.isDeprecated {
      complaints.append("Notes.txt does not say why \(name) is absent")
    }
    return head + "**absent**: \(note ?? "deprecated by Apple, and superseded") |"
  }
}
