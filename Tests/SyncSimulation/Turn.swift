/// One thing that happens in a simulated history.
///
/// Its random choices come from its own seed, so that it does the same when others are left out.
struct Turn: CustomStringConvertible {
  let kind: Kind
  let device: Int
  let seed: UInt64

  enum Kind: CaseIterable {
    case save
    case synchronize
    case crash
    case interrupt
    case lose
    case clock
    case backUp
    case restore
    case restoreStore
    case backUpServer
    case restoreServer
    case purge
    case join
    case reopen
    case purgeHistory
    case migrate
  }

  var description: String { "\(kind)(\(device), \(seed & 0xFFFFF))" }

  /// A history of that many turns.
  static func history(seed: UInt64, count: Int, without excluded: Set<Kind> = []) -> [Turn] {
    var chance = Chance(seed: seed)
    return (0..<count).map { _ in
      let kind = kind(at: chance.number(below: 101))
      let turn = Turn(kind: kind, device: chance.number(below: 7), seed: chance.next())
      return excluded.contains(kind)
        ? Turn(kind: .save, device: turn.device, seed: turn.seed) : turn
    }
  }

  /// A history of turns of these kinds only, each as likely as the others.
  static func history(seed: UInt64, count: Int, of kinds: [Kind]) -> [Turn] {
    var chance = Chance(seed: seed)
    return (0..<count).map { _ in
      let kind = chance.one(of: kinds) ?? .save
      return Turn(kind: kind, device: chance.number(below: 7), seed: chance.next())
    }
  }

  /// One thing of a story, and which of those who take part does it.
  struct Step {
    let kind: Kind
    let part: Int

    init(_ kind: Kind, by part: Int) {
      self.kind = kind
      self.part = part
    }
  }

  /// A history in which a story happens again and again, each time to other devices.
  static func history(seed: UInt64, count: Int, telling story: [Step]) -> [Turn] {
    var chance = Chance(seed: seed)
    var turns: [Turn] = []
    while turns.count < count {
      let first = chance.number(below: 7)
      for step in story where !chance.happens(percent: 5) {
        turns.append(Turn(kind: step.kind, device: first + step.part, seed: chance.next()))
      }
    }
    return turns
  }

  private static func kind(at number: Int) -> Kind {
    switch number {
    case ..<45: .save
    case ..<66: .synchronize
    case ..<73: .crash
    case ..<79: .interrupt
    case ..<86: .lose
    case ..<88: .clock
    case ..<90: .backUp
    case ..<92: .restore
    case ..<93: .restoreStore
    case ..<94: .join
    case ..<96: .purge
    case ..<97: .reopen
    case ..<98: .purgeHistory
    case ..<99: .backUpServer
    case ..<100: .restoreServer
    default: .migrate
    }
  }
}
