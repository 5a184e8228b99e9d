import CoreData

/// Does the work, line by line, and holds each against its bar.
///
///     Scripts/benchmark [name …] [--count 100000] [--rounds 5] [--beside] [--json] [--svg FILE] [--baseline FILE]
///
/// With `--beside`, two other processes walk through memory meanwhile: see ``Neighbours``.
///
/// The two sides of a line run in turn, in one process, on the same bytes; the processor's time counts, and the least
/// of all rounds. A ratio depends little on the machine, the milliseconds do.
struct BenchmarkTable {
  private let count: Int
  private let rounds: Int
  private let chosen: [Work]
  private let isBeside: Bool
  private let format: Format
  private let picture: URL?
  private let baseline: URL?

  private enum Format { case text, json }

  static var works: [Work] {
    Work.fetching + Work.saving + Work.relationships + Work.sorting + Work.programs
      + Work.properties + Work.allocations
  }

  init(_ arguments: [String]) {
    var rest = arguments
    func value(of option: String) -> String? {
      guard let place = rest.firstIndex(of: option) else { return nil }
      guard place + 1 < rest.count else { Self.refuse("\(option) wants a value") }
      defer { rest.removeSubrange(place...(place + 1)) }
      return rest[place + 1]
    }
    count = Self.number(value(of: "--count"), "--count", otherwise: 100_000)
    rounds = Self.number(value(of: "--rounds"), "--rounds", otherwise: 5)
    picture = value(of: "--svg").map { URL(fileURLWithPath: $0) }
    baseline = value(of: "--baseline").map { URL(fileURLWithPath: $0) }
    format = rest.contains("--json") ? .json : .text
    isBeside = rest.contains("--beside")
    let names = rest.filter { !["--json", "--beside"].contains($0) }
    for name in names where !Self.works.contains(where: { $0.name == name }) {
      Self.refuse(
        "there is no work \(name); there are \(Self.works.map(\.name).joined(separator: ", "))"
      )
    }
    chosen = names.isEmpty ? Self.works : Self.works.filter { names.contains($0.name) }
  }

  private static func number(_ text: String?, _ option: String, otherwise: Int) -> Int {
    guard let text else { return otherwise }
    guard let number = Int(text), number > 0 else {
      refuse("\(option) wants a number, not \(text)")
    }
    return number
  }

  private static func refuse(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("benchmark: \(sentence)\n".utf8))
    exit(2)
  }

  func run() throws {
    let stand = try Stand(count: count)
    defer { stand.remove() }
    let neighbours = isBeside ? try Neighbours() : nil
    defer { neighbours?.stop() }
    var outcomes: [Outcome] = []
    for work in chosen {
      let outcome = try Self.outcome(of: work, on: stand, rounds: rounds)
      outcomes.append(outcome)
      // The next line may take a while.
      if format == .text { FileHandle.standardOutput.write(Data((line(outcome) + "\n").utf8)) }
    }
    if format == .json { try printJSON(outcomes) }
    if let picture {
      try BenchmarkPicture(outcomes).svg.write(to: picture, atomically: true, encoding: .utf8)
    }
    if let baseline { try compare(outcomes, with: baseline) }
  }

  static func outcome(of work: Work, on stand: Stand, rounds: Int) throws -> Outcome {
    var (plain, ours): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      var round = Round(stand)
      try work.round(&round)
      if let time = round.plain { plain.append(time) }
      if let time = round.ours { ours.append(time) }
    }
    return Outcome(work, plain: plain.min(), ours: ours.min() ?? .nan)
  }
}

// MARK: - Telling

extension BenchmarkTable {
  private func line(_ outcome: Outcome) -> String {
    let name = outcome.name.padding(toLength: 15, withPad: " ", startingAt: 0)
    let title = outcome.title.padding(toLength: 60, withPad: " ", startingAt: 0)
    let figures: String
    if let plain = outcome.plain {
      let told = outcome.isRatio ? String(format: "%6.2f", outcome.figure) : "      "
      figures = String(format: "%9.2f %9.2f ms %@", plain, outcome.ours, told)
    } else {
      let sign = Work.Unit(rawValue: outcome.unit)?.sign ?? ""
      figures = String(format: "%22.2f %@", outcome.figure, sign)
    }
    let bar = String(format: "  bar %g", outcome.bar)
    let published = outcome.published.isEmpty ? "" : "  GRDB \(outcome.published)"
    return "\(name) \(title) \(figures)\(bar)\(outcome.keepsBar ? " ✓" : " ✗")\(published)"
  }

  private func printJSON(_ outcomes: [Outcome]) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(outcomes), as: UTF8.self))
  }

  /// Ends the program with 1 if a figure has become worse than the committed one.
  private func compare(_ outcomes: [Outcome], with file: URL) throws {
    guard let objection = try Baseline(contentsOf: file).objection(to: outcomes) else { return }
    FileHandle.standardError.write(Data(objection.utf8))
    exit(1)
  }
}
