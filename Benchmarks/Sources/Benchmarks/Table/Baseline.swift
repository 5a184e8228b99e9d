import Foundation

/// The figures that were committed, as they were on the machine of that day.
struct Baseline {
  private let outcomes: [String: Outcome]

  init(contentsOf file: URL) throws {
    let all = try JSONDecoder().decode([Outcome].self, from: Data(contentsOf: file))
    outcomes = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The sentence about everything that is worse than before; `nil` if nothing is.
  ///
  /// Ratios and counts are compared as they are. Times without another side are compared with the baseline's, corrected
  /// for plain SQLite's present speed.
  func objection(to now: [Outcome]) -> String? {
    let slowness = slowness(of: now)
    let worse = now.compactMap { outcome -> String? in
      guard let before = outcomes[outcome.name] else { return nil }
      let expected = before.figure * (outcome.isTime ? max(slowness, 1) : 1)
      guard outcome.figure > expected * outcome.tolerance else { return nil }
      return String(format: "%@: %.2f, and was %.2f", outcome.title, outcome.figure, before.figure)
    }
    if worse.isEmpty { return nil }
    let lines = "Worse than the baseline:\n\(worse.joined(separator: "\n"))\n"
    if slowness < 1.25 { return lines }
    let times = String(format: "%.1f", slowness)
    return lines
      + "Plain SQLite took \(times) times as long as for the baseline, so something else keeps this machine busy, or it is "
      + "a slower one. Ratios grow with that; measure again when it is quiet.\n"
  }

  /// How many times as long plain SQLite takes now: the middle one of all lines.
  private func slowness(of now: [Outcome]) -> Double {
    let all = now.compactMap { outcome -> Double? in
      guard let plain = outcome.plain, let before = outcomes[outcome.name]?.plain, before > 0 else {
        return nil
      }
      return plain / before
    }
    return all.isEmpty ? 1 : all.sorted()[all.count / 2]
  }
}
