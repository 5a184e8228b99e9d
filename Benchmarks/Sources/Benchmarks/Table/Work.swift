import ProcessorTime

/// One line of the table: work that is done in plain SQLite calls and by the framework, in turn.
struct Work {
  /// The name by which the line is chosen.
  let name: String
  let title: String
  /// The greatest ratio that is accepted.
  let bar: Double
  /// The ratio that GRDB 7.8 reached beside plain SQLite on another machine; empty if nobody measured.
  var published = ""
  var unit = Unit.ratio
  /// Both sides once, after all that must not count.
  let round: (inout Round) throws -> Void

  enum Unit: String {
    case ratio
    /// Milliseconds, with the other side's beside them.
    case milliseconds
    /// Nanoseconds of each operation, without another side.
    case nanoseconds
    /// Bytes of memory of each object, without another side.
    case bytes
    /// How often the allocator was asked for each operation, without another side: the same on every machine.
    case allocations

    /// The unit after a figure.
    var sign: String {
      switch self {
      case .ratio, .milliseconds: ""
      case .nanoseconds: "ns"
      case .bytes: "B "
      case .allocations: "× "
      }
    }
  }
}

/// The measurements of one round.
struct Round {
  let stand: Stand
  private(set) var plain: Double?
  private(set) var ours: Double?

  init(_ stand: Stand) {
    self.stand = stand
  }

  mutating func plain(_ work: () throws -> Void) rethrows {
    plain = try Stopwatch.milliseconds(work)
  }

  mutating func ours(_ work: () throws -> Void) rethrows {
    ours = try Stopwatch.milliseconds(work)
  }

  /// The other side's figure, which was measured elsewhere.
  mutating func plain(figure: Double) {
    plain = figure
  }

  /// A figure that was measured elsewhere, or that is not compared, in the work's unit.
  mutating func ours(figure: Double) {
    ours = figure
  }
}

/// The least of all rounds.
struct Outcome: Codable {
  let name: String
  let title: String
  let bar: Double
  let published: String
  let unit: String
  /// Milliseconds; nil for work without another side.
  let plain: Double?
  /// Milliseconds, or the figure itself in `unit`.
  let ours: Double

  init(_ work: Work, plain: Double?, ours: Double) {
    name = work.name
    title = work.title
    bar = work.bar
    published = work.published
    unit = work.unit.rawValue
    self.plain = plain
    self.ours = ours
  }

  /// The figure that is compared with the bar.
  var figure: Double {
    guard let plain, isRatio else { return ours }
    return ours / plain
  }

  var isRatio: Bool { unit == Work.Unit.ratio.rawValue }

  /// Whether it is a time that depends on the machine.
  var isTime: Bool {
    unit == Work.Unit.milliseconds.rawValue || unit == Work.Unit.nanoseconds.rawValue
  }

  var keepsBar: Bool { figure <= bar }

  /// How many times the baseline's figure this may be: a loaded machine makes times longer, and counts no greater.
  var tolerance: Double { unit == Work.Unit.allocations.rawValue ? 1.05 : 1.25 }
}
