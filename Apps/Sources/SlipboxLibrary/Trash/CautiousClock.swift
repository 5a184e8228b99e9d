public import Foundation

/// The readings of a machine's clocks at one moment.
public struct ClockReading: Sendable, Equatable {
  /// The date, which may be set to anything.
  public var wall: Date
  /// How many seconds the machine has been on, asleep or not, which nobody can set.
  public var uptime: TimeInterval
  /// Another text each time the machine is started.
  public var boot: String

  public init(wall: Date, uptime: TimeInterval, boot: String) {
    self.wall = wall
    self.uptime = uptime
    self.boot = boot
  }

  /// The clocks of this machine.
  public static func system() -> ClockReading {
    func text(_ path: String) -> String {
      // If the system gives no time, the date is not vouched for.
      (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
    let uptime = text("/proc/uptime").split(separator: " ").first.flatMap { Double($0) }
    return ClockReading(
      wall: Date(),
      uptime: uptime ?? 0,
      boot: text("/proc/sys/kernel/random/boot_id").trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }
}

/// A clock that a wrong date cannot hurry.
///
/// ```
/// date            1 May   2 May   11 June   11 June   2 May     3 May       40 days ahead for four seconds
/// machine is on     0 h    24 h      24 h      24 h    24 h      48 h
/// believed        1 May   2 May     2 May     2 May   2 May     3 May
/// ```
///
/// The time that the machine was on counts. Between two starts of the machine nothing vouches for the date, and a day
/// counts at most; the rest of the date's time counts when the machine has been on for as long since. The clock never
/// goes ahead of the date.
struct CautiousClock: Codable, Sendable, Equatable {
  /// All in seconds since the reference date of `Date`.
  private(set) var believed: Double
  private var wall: Double
  private var uptime: Double
  private var boot: String

  /// A clock that believes a date, and no later one than is read.
  init(believing date: Date, _ reading: ClockReading) {
    wall = reading.wall.timeIntervalSinceReferenceDate
    believed = min(date.timeIntervalSinceReferenceDate, wall)
    uptime = reading.uptime
    boot = reading.boot
  }

  var now: Date { Date(timeIntervalSinceReferenceDate: believed) }

  /// Goes on to the clocks' present readings.
  mutating func advance(to reading: ClockReading) {
    let date = reading.wall.timeIntervalSinceReferenceDate
    let elapsed = max(0, date - wall)
    let credit: Double
    if reading.boot == boot, !boot.isEmpty {
      let vouched = min(elapsed, max(0, reading.uptime - uptime))
      // As much again, to catch up with a date that goes on as it said.
      credit = vouched * 2
    } else {
      credit = min(elapsed, Self.unvouched)
    }
    believed = min(believed + credit, date)
    wall = date
    uptime = reading.uptime
    boot = reading.boot
  }

  /// A day: a person who starts the machine each day notices nothing.
  private static let unvouched: Double = 86_400
}

// MARK: - In a file

extension CautiousClock {
  /// The clock that a file keeps; nil for one that keeps none.
  init?(file: URL) {
    guard let data = try? Data(contentsOf: file), let value = try? JSONValue(parsing: data),
      let clock = try? JSONReading.decode(CautiousClock.self, from: value),
      [clock.believed, clock.wall, clock.uptime].allSatisfy(\.isFinite)
    else { return nil }
    self = clock
  }

  func write(to file: URL) throws {
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
  }
}
