/// The `#if` blocks around a place, with the value of each.
struct OpenConditions {
  private struct Block {
    /// The conditions of the earlier branches.
    var earlier: [[SwiftToken]] = []
    /// The condition of this branch, empty for `#else`.
    var current: [SwiftToken]

    var state: BuildCondition {
      let past = earlier.map { BuildCondition($0) }
      if past.contains(.holds) { return .fails }
      let now = current.isEmpty ? BuildCondition.holds : BuildCondition(current)
      return now == .holds && past.contains(.open) ? .open : now
    }

    var text: String {
      let past = earlier.map { "!(\(Self.text(of: $0)))" }
      return (past + (current.isEmpty ? [] : ["(\(Self.text(of: current)))"])).joined(
        separator: " && "
      )
    }

    private static func text(of tokens: [SwiftToken]) -> String {
      tokens.map { ["&", "|", "!"].contains($0.text) ? $0.text : " \($0.text) " }.joined()
        .replacing("  ", with: " ")
    }
  }

  private var blocks: [Block] = []

  /// Whether the place is not compiled on Linux.
  var isOff: Bool { blocks.contains { $0.state == .fails } }

  /// The condition under which the place is compiled, nil if it always is.
  var text: String? {
    let open = blocks.filter { $0.state == .open }.map(\.text)
    return open.isEmpty ? nil : open.joined(separator: " && ")
  }

  mutating func begin(with condition: [SwiftToken]) {
    blocks.append(Block(current: condition))
  }

  mutating func turn(to condition: [SwiftToken]) {
    guard let last = blocks.indices.last else { return }
    blocks[last].earlier.append(blocks[last].current)
    blocks[last].current = condition
  }

  mutating func end() {
    _ = blocks.popLast()
  }
}
