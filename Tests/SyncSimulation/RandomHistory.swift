import TestSupport

/// The history of devices and their server, all of it decided by one number.
package struct RandomHistory {
  private let seed: UInt64
  private let turns: [Turn]
  /// The subject of the history, if it is about one thing.
  private var circumstances: Circumstances?

  package init(seed: UInt64) {
    self.init(seed: seed, turns: Self.usualLength)
  }

  init(seed: UInt64, turns count: Int, without excluded: Set<Turn.Kind> = []) {
    self.seed = seed
    turns = Turn.history(seed: seed, count: count, without: excluded)
  }

  /// A history in which some things happen more often than others.
  package init(seed: UInt64, of themes: [Theme]) {
    self.seed = seed
    var circumstances = Circumstances(edits: nil)
    for theme in themes {
      circumstances.edits = theme.circumstances.edits ?? circumstances.edits
      circumstances.turns = theme.circumstances.turns ?? circumstances.turns
    }
    self.circumstances = circumstances
    turns =
      circumstances.turns.map { Turn.history(seed: seed, count: Self.usualLength, of: $0) }
      ?? Turn.history(seed: seed, count: Self.usualLength)
  }

  /// A history on devices whose framework takes some liberties.
  package init(seed: UInt64, loosely looseness: Set<Looseness>) {
    self.init(seed: seed)
    circumstances = Circumstances(edits: nil, looseness: looseness)
  }

  /// The turns that happen more often than others.
  package enum Theme: String, CaseIterable {
    /// Devices are put back to backups.
    case restored
    /// People delete what others lead to.
    case deleting
    /// People put notes into sets, and take them out.
    case tagging

    fileprivate var circumstances: Circumstances {
      switch self {
      case .restored: .restored
      case .deleting: .deleting
      case .tagging: .tagging
      }
    }
  }

  /// A history in which a bug is looked for.
  init(seed: UInt64, turns count: Int, for bug: InjectedBug) {
    self.seed = seed
    let circumstances = bug.circumstances
    turns =
      circumstances.turns.map { Turn.history(seed: seed, count: count, of: $0) }
      ?? circumstances.story.map { Turn.history(seed: seed, count: count, telling: $0) }
      ?? Turn.history(seed: seed, count: count, without: Circumstances.disturbances)
  }

  static let usualLength = 60

  /// Two to four, to which others come; in one history of sixteen seven.
  private var devices: Int { seed % 16 == 9 ? 7 : 2 + Int(seed % 3) }

  /// Lets it happen; throws what is wrong at its end.
  ///
  /// - Returns: How many saves there were.
  package func run() throws -> Int {
    try SimulatedWorld.run(turns, seed: seed, devices: devices, circumstances).saves
  }

  /// Lets it happen with something that is done wrong, or with nothing.
  func run(_ bug: InjectedBug?, in circumstances: Circumstances) throws {
    _ = try SimulatedWorld.run(turns, seed: seed, devices: devices, circumstances, bug)
  }

  /// The fault, and the fewest turns that lead to the same one.
  package func story(of error: any Error) -> String {
    let needed = fewest(of: turns) { turns in
      do {
        _ = try SimulatedWorld.run(turns, seed: seed, devices: devices, circumstances)
        return false
      } catch let other {
        // Fewer turns may fail in another way, which is another story.
        return Self.kind(of: other) == Self.kind(of: error)
      }
    }
    return "seed \(seed): \(error)\n\(told(needed).joined(separator: "\n"))"
  }

  private func told(_ turns: [Turn]) -> [String] {
    var lines: [String] = []
    do {
      _ = try SimulatedWorld.run(turns, seed: seed, devices: devices, circumstances) {
        lines.append($0)
      }
    } catch {
      lines.append("\(error)")
    }
    return lines
  }

  /// An objection's sentence, without the names of this history.
  private static func kind(of error: any Error) -> String {
    "\(error)".prefix { $0 != "\n" }.filter { !$0.isNumber }
  }
}
