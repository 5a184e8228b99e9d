import Foundation
import Synchronization

/// Writes what a developer should see into the program's log.
final class MeterLog: StoreMeter {
  static let shared = MeterLog { NSLog("%@", ProgramLog.line($0)) }

  private let write: @Sendable (String) -> Void
  private let told = Mutex<Set<String>>([])

  /// A model has fewer relationships that somebody reads in this way.
  private static let mostTold = 1_000

  init(_ write: @escaping @Sendable (String) -> Void) {
    self.write = write
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
    case .slowStatement(let statement, _, let advice):
      let milliseconds = Int((statement.time / .milliseconds(1)).rounded())
      write(
        ([
          "CoreData: slow: \(milliseconds) ms, \(statement.rowCount) rows in"
            + " \(statement.store.lastPathComponent): \(statement.sql)"
        ] + advice).joined(separator: " ")
      )
    case .repeatedFaults(let faults):
      let kind = ([faults.entity] + faults.relationships).joined(separator: " ")
      let isNew = told.withLock { $0.count < Self.mostTold && $0.insert(kind).inserted }
      if isNew { write("CoreData: warning: \(faults.sentence)") }
    case .statement, .wait, .rowCache, .fault, .contexts:
      break
    }
  }
}
