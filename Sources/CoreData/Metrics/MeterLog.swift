import Foundation
import Synchronization

/// Writes what a developer should see into the program's log.
final class MeterLog: StoreMeter {
  static let shared = MeterLog()

  private let manner: Mutex<(format: StoreMetrics.LogFormat, write: @Sendable (String) -> Void)>
  private let told = Mutex<Set<String>>([])

  /// A model has fewer relationships that somebody reads in this way.
  private static let mostTold = 1_000

  init(
    _ format: StoreMetrics.LogFormat = .text,
    _ write: (@Sendable (String) -> Void)? = nil
  ) {
    manner = Mutex((format, write ?? Self.usual(format)))
  }

  func set(_ format: StoreMetrics.LogFormat, _ write: (@Sendable (String) -> Void)?) {
    let write = write ?? Self.usual(format)
    manner.withLock { $0 = (format, write) }
  }

  private static func usual(_ format: StoreMetrics.LogFormat) -> @Sendable (String) -> Void {
    switch format {
    case .text: { NSLog("%@", ProgramLog.line($0)) }
    // A program that reads the lines wants nothing before them.
    case .json: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) }
    }
  }

  /// Begins what the environment of the program asks for; once.
  static func followSettings() { _ = settings }

  private static let settings: Void = {
    let settings = DebugSettings.current
    let slow = settings.slowStatements.map { Duration.milliseconds($0) }
    guard slow != nil || settings.repeatedFaults != nil else { return }
    StoreMetrics.log(slowStatements: slow, repeatedFaults: settings.repeatedFaults)
  }()

  func record(_ measurement: StoreMeasurement) {
    switch measurement {
    case .slowStatement(let statement, let plan, let advice):
      write(LogEntry(statement, plan, advice))
    case .repeatedFaults(let faults):
      let kind = ([faults.entity] + faults.relationships).joined(separator: " ")
      let isNew = told.withLock { $0.count < Self.mostTold && $0.insert(kind).inserted }
      if isNew { write(LogEntry(faults)) }
    case .statement, .wait, .rowCache, .fault, .contexts:
      break
    }
  }

  private func write(_ entry: LogEntry) {
    let manner = manner.withLock { $0 }
    switch manner.format {
    case .text: manner.write(entry.text)
    case .json: manner.write(entry.json(at: Date()))
    }
  }
}

/// A line of the log before it is written.
private struct LogEntry: Encodable {
  var time: String?
  let level: String
  let event: String
  let message: String
  var milliseconds: Double?
  var rows: Int?
  var store: String?
  var sql: String?
  var plan: [String]?
  var advice: [String]?
  var request: String?

  init(_ statement: StatementMeasurement, _ plan: [String], _ advice: [String]) {
    level = "info"
    event = "slowStatement"
    let time = statement.time / .milliseconds(1)
    milliseconds = (time * 1_000).rounded() / 1_000
    rows = statement.rowCount
    store = statement.store.lastPathComponent
    sql = statement.sql
    self.plan = plan
    self.advice = advice
    request = statement.requestID
    message = """
      slow: \(Int(time.rounded())) ms, \(statement.rowCount) rows in \(statement.store.lastPathComponent)\
      \(statement.requestID.map { " for \($0)" } ?? "")
      """
  }

  init(_ faults: RepeatedFaults) {
    level = "warning"
    event = "repeatedFaults"
    message = faults.sentence
    request = StoreMetrics.requestID
  }

  /// The entry as a sentence.
  var text: String {
    guard let sql else { return "CoreData: warning: \(message)" }
    return (["CoreData: \(message): \(sql)"] + (advice ?? [])).joined(separator: " ")
  }

  /// The entry as an object on one line.
  func json(at date: Date) -> String {
    var entry = self
    entry.time = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // An entry has texts and numbers that are finite, which can always be encoded.
    let data = (try? encoder.encode(entry)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
