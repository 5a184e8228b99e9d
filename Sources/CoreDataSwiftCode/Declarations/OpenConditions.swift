/// The `#if` blocks around a place, with the value of each.
package struct OpenConditions {
  private struct Block {
    /// The conditions of the earlier branches.
    var earlier: [[SwiftToken]] = []
    /// The condition of this branch, empty for `#else`.
    var current: [SwiftToken]

    func state(knowingModules knowsModules: Bool) -> BuildCondition {
      let past = earlier.map { BuildCondition($0, knowsModules: knowsModules) }
      if past.contains(.holds) { return .fails }
      let now =
        current.isEmpty
        ? BuildCondition.holds : BuildCondition(current, knowsModules: knowsModules)
      return now == .holds && past.contains(.open) ? .open : now
    }

    var text: String {
      let past = earlier.map { "!(\(Self.text(of: $0)))" }
      return (past + (current.isEmpty ? [] : ["(\(Self.text(of: current)))"])).joined(
        separator: " && "
      )
    }

    /// The condition as it is written, with one blank where there are any.
    private static func text(of tokens: [SwiftToken]) -> String {
      var text = ""
      var end: Int?
      for token in tokens {
        if let end, token.range.lowerBound > end { text += " " }
        text += token.text
        end = token.range.upperBound
      }
      return text
    }
  }

  private var blocks: [Block] = []

  private let knowsModules: Bool

  /// Creates the conditions of a place outside of all `#if`.
  ///
  /// - Parameter knowsModules: Whether Apple's modules are held to be absent on Linux.
  package init(knowsModules: Bool = true) {
    self.knowsModules = knowsModules
  }

  /// Whether the place is not compiled on Linux.
  package var isOff: Bool { blocks.contains { $0.state(knowingModules: knowsModules) == .fails } }

  /// The condition under which the place is compiled, nil if it always is.
  package var text: String? {
    let open = blocks.filter { $0.state(knowingModules: knowsModules) == .open }.map(\.text)
    return open.isEmpty ? nil : open.joined(separator: " && ")
  }

  package mutating func begin(with condition: [SwiftToken]) {
    blocks.append(Block(current: condition))
  }

  package mutating func turn(to condition: [SwiftToken]) {
    guard let last = blocks.indices.last else { return }
    blocks[last].earlier.append(blocks[last].current)
    blocks[last].current = condition
  }

  package mutating func end() {
    _ = blocks.popLast()
  }
}
