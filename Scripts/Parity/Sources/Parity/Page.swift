/// The page that says of each of Apple's symbols whether it is here.
struct Page {
  private let ours: OurSymbols
  private var notes: Notes
  private let notesFile: String
  private var listed: Set<String> = []
  private var counts = Counts()
  /// The reasons why the page cannot be written, in sentences.
  private(set) var complaints: [String] = []

  struct Counts {
    var present = 0
    var differing = 0
    var absent = 0
    var absentAndDeprecated = 0
  }

  init(_ ours: OurSymbols, notes: Notes, from notesFile: String) {
    self.ours = ours
    self.notes = notes
    self.notesFile = notesFile
  }

  mutating func text(for symbols: AppleSymbols, introduction: String, closing: String) -> String {
    listed = symbols.typeNames
    let body = symbols.groups.map { section($0) }.joined(separator: "\n")
    for name in notes.unused.sorted() {
      complaints.append("\(notesFile) speaks of \(name), which is no symbol of Apple's list")
    }
    let deprecated =
      counts.absentAndDeprecated == 0
      ? "" : ", \(counts.absentAndDeprecated) of these deprecated by Apple (†)"
    let summary = """
      ## Symbol by symbol

      Of Apple's \(counts.present + counts.differing + counts.absent) public declarations \
      \(counts.present) are here, \(counts.differing) are here and differ, \(counts.absent) are \
      absent\(deprecated). Types count as declarations.

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
      if note == nil { complaints.append("\(notesFile) does not say why \(type.name) is absent") }
      return ["\(title): **absent**, \(note ?? "")", ""]
    }
    if note == nil { counts.present += 1 } else { counts.differing += 1 }
    let heading = "#### \(title)" + (note.map { "\n\nDiffers: \($0)" } ?? "")
    return [heading, ""] + table(type.members, of: type.name)
  }

  private mutating func table(_ symbols: [AppleSymbol], of type: String?) -> [String] {
    guard !symbols.isEmpty else { return [] }
    var lines = ["| declaration | here |", "|---|---|"]
    let all = Dictionary(grouping: symbols, by: \.key)
    var seen: [String: Int] = [:]
    for symbol in symbols {
      seen[symbol.key, default: 0] += 1
      let isCovered = notes.cover(name(of: symbol, in: type))
      let count = ours.count(of: symbol.key, in: type, listed: listed)
      let isHere = isCovered || count >= seen[symbol.key] ?? 1
      // If some overloads are absent, the note says why these are.
      let isPlain = isHere && !isCovered && count < all[symbol.key]?.count ?? 1
      lines.append(line(symbol, of: type, isHere: isHere, isPlain: isPlain))
    }
    return lines + [""]
  }

  private func name(of symbol: AppleSymbol, in type: String?) -> String {
    type.map { "\($0).\(symbol.key)" } ?? symbol.key
  }

  private mutating func line(
    _ symbol: AppleSymbol,
    of type: String?,
    isHere: Bool,
    isPlain: Bool
  ) -> String {
    let name = name(of: symbol, in: type)
    let note = isPlain ? nil : notes.note(on: name)
    let declaration = symbol.declaration.replacing("|", with: "\\|")
    let head = "| \(symbol.isDeprecated ? "† " : "")`\(declaration)` | "
    if isHere {
      if note == nil { counts.present += 1 } else { counts.differing += 1 }
      return head + (note.map { "differs: \($0)" } ?? "yes") + " |"
    }
    counts.absent += 1
    if symbol.isDeprecated { counts.absentAndDeprecated += 1 }
    if note == nil, !symbol.isDeprecated {
      complaints.append("\(notesFile) does not say why \(name) is absent")
    }
    return head + "**absent**: \(note ?? "deprecated by Apple, and superseded") |"
  }
}
