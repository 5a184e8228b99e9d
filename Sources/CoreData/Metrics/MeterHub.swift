package import CoreDataSQLite
import Foundation
import Synchronization

/// A meter and what it wants to be told besides the usual.
struct ConnectedMeter: Sendable {
  let meter: any StoreMeter
  let slowStatements: Duration?
  let repeatedFaults: Int?
}

/// Hands measurements to the meters that are connected.
package final class MeterHub: Sendable {
  package static let ofProcess = MeterHub()

  private static let hasMeters = Atomic(false)
  private let meters = Mutex<[ConnectedMeter]>([])
  /// The tables of each file, for advice.
  private let schemas = Mutex<[String: WeakSchema]>([:])

  private struct WeakSchema {
    weak var schema: StoreSchema?
  }

  /// Whether anybody wants to hear; all that a program without meters asks.
  @inline(__always)
  package static var isOn: Bool { hasMeters.load(ordering: .relaxed) }

  func connect(_ meter: ConnectedMeter) {
    change { meters in
      meters.removeAll { $0.meter === meter.meter }
      meters.append(meter)
    }
  }

  func disconnect(_ meter: any StoreMeter) {
    change { $0.removeAll { $0.meter === meter } }
  }

  private func change(_ body: (inout [ConnectedMeter]) -> Void) {
    meters.withLock { meters in
      body(&meters)
      Self.hasMeters.store(!meters.isEmpty, ordering: .relaxed)
      Metering.set(meters.isEmpty ? nil : self)
    }
  }

  func record(_ measurement: StoreMeasurement) {
    for meter in all { meter.meter.record(measurement) }
  }

  private var all: [ConnectedMeter] { meters.withLock { $0 } }

  /// From how many statements on somebody wants to hear of repeated faults; each number once.
  var faultLimits: [Int] { Set(all.compactMap(\.repeatedFaults)).sorted() }

  func record(_ faults: RepeatedFaults) {
    for meter in all where meter.repeatedFaults == faults.count {
      meter.meter.record(.repeatedFaults(faults))
    }
  }

  /// Notes what the tables of a store's file are, for advice on its statements.
  func note(_ schema: StoreSchema, of path: String) {
    schemas.withLock { schemas in
      schemas = schemas.filter { $0.value.schema != nil }
      schemas[path] = WeakSchema(schema: schema)
    }
  }
}

// MARK: - Statements

extension MeterHub: ConnectionMeter {
  package var timeForPlan: Duration? { all.compactMap(\.slowStatements).min() }

  package func ran(_ report: StatementReport, in path: String) {
    let measurement = StatementMeasurement(
      sql: report.sql,
      store: URL(fileURLWithPath: path),
      time: report.time,
      timeToFirstRow: report.timeToFirstRow,
      rowCount: report.rowCount,
      isQuery: report.isQuery,
      requestID: StoreMetrics.requestID
    )
    record(measurement) {
      // The numbers of a step and of its parent precede it.
      let plan = report.plan.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
      let tables = schemas.withLock { $0[path]?.schema?.tables }
      let advice =
        tables.map { PlanAdvice.sentences(on: report.sql, plan: plan, tables: $0) } ?? []
      return (plan, advice)
    }
  }

  /// Records statements that went to a database server in one trip, whose times nobody knows apart.
  package func ran(_ statements: [String], at store: URL, in time: Duration, rowCount: Int) {
    let measurement = StatementMeasurement(
      sql: statements.joined(separator: ";\n"),
      store: store,
      time: time,
      timeToFirstRow: time,
      rowCount: rowCount,
      isQuery: statements.allSatisfy { $0.hasPrefix("SELECT") },
      requestID: StoreMetrics.requestID
    )
    record(measurement) { ([], []) }
  }

  private func record(
    _ measurement: StatementMeasurement,
    _ details: () -> (plan: [String], advice: [String])
  ) {
    let meters = all
    for meter in meters { meter.meter.record(.statement(measurement)) }
    let slow = meters.filter { meter in
      meter.slowStatements.map { measurement.time >= $0 } ?? false
    }
    guard !slow.isEmpty else { return }
    let (plan, advice) = details()
    for meter in slow {
      meter.meter.record(.slowStatement(measurement, plan: plan, advice: advice))
    }
  }

  package func waited(_ time: Duration, toWrite: Bool, in path: String) {
    waited(time, toWrite: toWrite, at: URL(fileURLWithPath: path))
  }

  package func waited(_ time: Duration, toWrite: Bool, at store: URL) {
    record(.wait(time, toWrite: toWrite, store: store))
  }
}
