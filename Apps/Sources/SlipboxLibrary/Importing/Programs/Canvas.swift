import Foundation
import RichText

/// A canvas as a text: its cards from the top to the bottom, each group with a heading, and then the lines between them.
///
/// ```
/// ## Reading                      a group
///
/// Slow is fine.                   a card with words
///
/// [[Reading/Slots.md]]            one that shows a note
///
/// ## Connections
///
/// - Slow is fine. → [[Reading/Slots.md]]: leads to
/// ```
struct Canvas {
  private(set) var markdown = ""
  /// Whether there is more than one card, so that their places said something.
  let hasPlaces: Bool
  let hasColours: Bool

  private struct Card {
    enum Kind {
      case text(String)
      case file(String)
      case link(String)
      case group(String)
    }

    let id: String
    let kind: Kind
    let x: Double
    let y: Double
    let width: Double
    let height: Double
    /// The picture behind the cards of a group.
    var background: String?

    var isGroup: Bool { if case .group = kind { true } else { false } }

    func contains(_ card: Card) -> Bool {
      let (middle, centre) = (card.x + card.width / 2, card.y + card.height / 2)
      return x <= middle && middle <= x + width && y <= centre && centre <= y + height
    }
  }

  private static let mostCards = 10_000
  /// Each card is looked for in all of them.
  private static let mostGroups = 100

  /// - Throws: A ``LibraryProblem`` if the file is damaged.
  init(_ data: Data) throws {
    // An empty canvas is an empty file, or one without members.
    let value = data.allSatisfy { $0 <= 0x20 } ? .object([:]) : try JSONFile.value(of: data)
    guard case .object(let members) = value else {
      throw LibraryProblem.refused("The file is not a canvas.")
    }
    let (nodes, edges) = (members.objects("nodes"), members.objects("edges"))
    guard nodes.count <= Self.mostCards, edges.count <= Self.mostCards else {
      throw LibraryProblem.refused("The canvas has more than \(Self.mostCards) cards or lines.")
    }
    let cards = nodes.map(Self.card)
    hasPlaces = cards.count > 1
    hasColours = (nodes + edges).contains { $0["color"] != nil }
    var parts = Self.parts(of: cards)
    let lines = Self.connections(edges, cards)
    if !lines.isEmpty { parts += ["## Connections", lines.joined(separator: "\n")] }
    markdown = parts.joined(separator: "\n\n")
  }
}

// MARK: - Cards

extension Canvas {
  private static func card(_ members: JSONMembers) -> Card {
    func number(_ name: String) -> Double {
      switch members[name] {
      case .integer(let number): Double(number)
      case .number(let number): number
      default: 0
      }
    }
    let kind: Card.Kind
    switch members.text("type") {
    case "text": kind = .text(members.text("text") ?? "")
    case "file": kind = .file((members.text("file") ?? "") + (members.text("subpath") ?? ""))
    case "link": kind = .link(members.text("url") ?? "")
    case "group": kind = .group(members.text("label") ?? "")
    // Another program's card stays as it is written.
    default: kind = .text("`\(JSONValue.object(members).json)`")
    }
    return Card(
      id: members.text("id") ?? "",
      kind: kind,
      x: number("x"),
      y: number("y"),
      width: number("width"),
      height: number("height"),
      background: members.text("background")
    )
  }

  /// The cards outside of groups, then the groups with theirs.
  private static func parts(of cards: [Card]) -> [String] {
    let groups = inOrder(cards.filter(\.isGroup))
    var inside: [Int: [Card]] = [:]
    var outside: [Card] = []
    for card in cards where !card.isGroup {
      // The innermost group is the smallest.
      let found = groups.prefix(mostGroups).indices.filter { groups[$0].contains(card) }
        .min { groups[$0].width * groups[$0].height < groups[$1].width * groups[$1].height }
      if let found { inside[found, default: []].append(card) } else { outside.append(card) }
    }
    var parts = inOrder(outside).map(text)
    for (index, group) in groups.enumerated() {
      parts.append("## \(name(of: group))")
      if let background = group.background { parts.append("![[\(background)]]") }
      parts += inOrder(inside[index] ?? []).map(text)
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func inOrder(_ cards: [Card]) -> [Card] {
    cards.sorted { ($0.y, $0.x, $0.id) < ($1.y, $1.x, $1.id) }
  }

  private static func text(of card: Card) -> String {
    switch card.kind {
    case .text(let text): text
    case .file(let path): isShown(path) ? "![[\(path)]]" : link(path)
    case .link(let address): "<\(address)>"
    case .group: ""
    }
  }

  /// Whether a file is shown as itself, and not as a link to its note.
  private static func isShown(_ path: String) -> Bool {
    NoteFormats.format(of: path.prefix { $0 != "#" }) == nil
  }

  private static func link(_ path: String) -> String {
    "[[\(path)|\(ImportPath.stem(of: path.prefix { $0 != "#" }))]]"
  }
}

// MARK: - Connections

extension Canvas {
  private static func connections(_ edges: [JSONMembers], _ cards: [Card]) -> [String] {
    if edges.isEmpty { return [] }
    let names = Dictionary(cards.map { ($0.id, name(of: $0)) }) { first, _ in first }
    return edges.compactMap { edge in
      guard let from = edge.text("fromNode").flatMap({ names[$0] }),
        let to = edge.text("toNode").flatMap({ names[$0] })
      else { return nil }
      let hasStart = edge.text("fromEnd") == "arrow"
      let hasEnd = edge.text("toEnd") != "none"
      let arrow = hasStart ? (hasEnd ? "↔" : "←") : (hasEnd ? "→" : "–")
      let label = edge.text("label").map(line) ?? ""
      return "- \(from) \(arrow) \(to)" + (label.isEmpty ? "" : ": \(label)")
    }
  }

  private static func name(of card: Card) -> String {
    switch card.kind {
    case .text(let text): line(RichText(markdown: String(text.prefix(500))).excerpt(60))
    case .file(let path): isShown(path) ? line(ImportPath.name(of: path)) : link(path)
    case .link(let address): "<\(address)>"
    case .group(let label): line(label.isEmpty ? "Group" : label)
    }
  }

  /// Words on one line, none of whose signs means anything.
  private static func line(_ words: String) -> String {
    let line = words.split(whereSeparator: \.isNewline).joined(separator: " ")
    let text = RichText([.paragraph([.text(line)])]).markdown
    return line.isEmpty ? "…" : text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
