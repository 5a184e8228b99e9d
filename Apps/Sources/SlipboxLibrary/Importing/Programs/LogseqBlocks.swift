import Foundation

/// The blocks of Logseq to which texts refer by identifiers, `((60af74c1-62f8-434a-827c-abc6d2a71734))`.
struct LogseqBlocks: Sendable {
  /// A block, by the page in which it is and its first words.
  struct Block: Sendable {
    /// The path of the page without the ending.
    let page: String
    let words: String
  }

  private var blocks: [String: Block] = [:]
  private var wanted: Set<String> = []
  /// The numbers of files that are earlier versions of pages.
  var copies = 0

  private static let most = 500_000

  mutating func add(_ id: String, _ block: Block) {
    if blocks.count < Self.most, blocks[id] == nil { blocks[id] = block }
  }

  mutating func want(_ ids: [String]) {
    if wanted.count < Self.most { wanted.formUnion(ids) }
  }

  subscript(id: String) -> Block? { blocks[id.lowercased()] }

  /// Whether a text refers to a block.
  func isWanted(_ id: String) -> Bool { wanted.contains(id.lowercased()) }

  /// The sign by which links call a block, which is written behind its words.
  static func sign(of id: String) -> String { "^" + id.lowercased().prefix(8) }

  /// The identifier at the beginning of a text; `nil` if it is something else.
  static func identifier(_ text: Substring) -> String? {
    let id = text.prefix(36)
    guard id.utf8.count == 36, UUID(uuidString: String(id)) != nil else { return nil }
    return id.lowercased()
  }

  /// The identifiers between double parentheses in a text.
  static func references(in text: String) -> [String] {
    var found: [String] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "((") {
      if let id = identifier(rest[start.upperBound...]) { found.append(id) }
      rest = rest[rest.index(after: start.lowerBound)...]
    }
    return found
  }
}
