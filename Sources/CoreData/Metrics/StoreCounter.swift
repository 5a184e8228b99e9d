import Foundation
import Synchronization

/// A figure of ``StoreCounter``.
public struct MetricSample: Hashable, Sendable {
  /// The kinds of figures, as Prometheus knows them.
  public enum Kind: String, Hashable, Sendable {
    /// A number that only grows.
    case counter
    /// A number that grows and shrinks.
    case gauge
  }

  /// The name, such as `coredata_statements_total`.
  public let name: String
  /// The kind of the figure.
  public let kind: Kind
  /// A sentence that says what is counted.
  public let help: String
  /// The names and values by which figures of the same name differ, such as `["store": "Books.sqlite"]`.
  public let labels: [String: String]
  /// The figure; times are in seconds.
  public let value: Double

  /// Creates a figure of your own, for the page of ``StoreCounter``.
  ///
  /// - Parameters:
  ///   - name: The name, which has letters, digits and underscores.
  ///   - kind: The kind of the figure.
  ///   - help: A sentence that says what is counted.
  ///   - labels: The names and values by which figures of the same name differ; none by default.
  ///   - value: The figure.
  public init(
    name: String,
    kind: Kind,
    help: String,
    labels: [String: String] = [:],
    value: Double
  ) {
    self.name = name
    self.kind = kind
    self.help = help
    self.labels = labels
    self.value = value
  }
}

/// A meter that counts what the stores and contexts of the program do, for a page of metrics.
///
/// ```swift
/// let counter = StoreCounter()
/// StoreMetrics.connect(counter, slowStatements: .milliseconds(100), repeatedFaults: 20)
/// // GET /metrics:
/// print(counter.prometheusText)
/// ```
///
/// It counts from the moment when it is connected. To hand measurements to a library for metrics instead, adopt
/// ``StoreMeter`` yourself, or hand ``samples`` over now and then.
public final class StoreCounter: StoreMeter {
  private let counts = Mutex<[Series: Double]>([:])

  private struct Series: Hashable {
    let figure: Figure
    /// The values of the labels.
    let first: String
    let second: String
  }

  /// As many series as a model and its stores have; more come from a program that makes stores without end.
  private static let mostSeries = 10_000

  /// Creates a counter that has counted nothing.
  public init() {}

  /// Counts a measurement.
  ///
  /// - Parameter measurement: The measurement.
  public func record(_ measurement: StoreMeasurement) {
    switch measurement {
    case .statement(let statement):
      let (store, kind) = (Self.name(statement.store), statement.isQuery ? "query" : "write")
      add([
        (.statements, store, kind, 1),
        (.statementSeconds, store, kind, statement.time / .seconds(1)),
        (.rows, store, "", Double(statement.rowCount)),
      ])
    case .slowStatement(let statement, _, _):
      add([(.slowStatements, Self.name(statement.store), "", 1)])
    case .wait(let time, let toWrite, let store):
      let (name, kind) = (Self.name(store), toWrite ? "write" : "read")
      add([(.waits, name, kind, 1), (.waitSeconds, name, kind, time / .seconds(1))])
    case .rowCache(let isHit, let entity): add([(isHit ? .cacheHits : .cacheMisses, entity, "", 1)])
    case .fault(let entity, let relationship): add([(.faults, entity, relationship ?? "", 1)])
    case .repeatedFaults(let faults): add([(.repeatedFaults, faults.entity, "", 1)])
    case .contexts: break
    }
  }

  private func add(_ changes: [(Figure, String, String, Double)]) {
    counts.withLock { counts in
      for (figure, first, second, value) in changes {
        let series = Series(figure: figure, first: first, second: second)
        guard counts[series] != nil || counts.count < Self.mostSeries else { continue }
        counts[series, default: 0] += value
      }
    }
  }

  private static func name(_ store: URL) -> String { store.lastPathComponent }
}

// MARK: - Figures

extension StoreCounter {
  /// The present figures, in the order of their names and labels.
  ///
  /// You can read this property on any thread.
  public var samples: [MetricSample] {
    let counts = counts.withLock { $0 }
    let sorted = counts.sorted {
      ($0.key.figure.rawValue, $0.key.first, $0.key.second)
        < ($1.key.figure.rawValue, $1.key.first, $1.key.second)
    }
    return sorted.map { series, value in
      let values = zip(series.figure.labels, [series.first, series.second]).filter { !$1.isEmpty }
      return MetricSample(
        name: series.figure.name,
        kind: .counter,
        help: series.figure.help,
        labels: Dictionary(uniqueKeysWithValues: values),
        value: value
      )
    } + [
      MetricSample(
        name: "coredata_contexts",
        kind: .gauge,
        help: "The contexts that exist.",
        labels: [:],
        value: Double(StoreMetrics.liveContextCount)
      )
    ]
  }

  /// The figures as a page in Prometheus's text format, version 0.0.4.
  ///
  /// Answer with it at `/metrics`, with the content type `text/plain; version=0.0.4`. The names of entities and of the
  /// stores' files are on it, so let only those who may know these ask.
  public var prometheusText: String { samples.prometheusText }

  private enum Figure: Int {
    case statements, statementSeconds, rows, slowStatements, waits, waitSeconds
    case cacheHits, cacheMisses, faults, repeatedFaults

    var name: String {
      switch self {
      case .statements: "coredata_statements_total"
      case .statementSeconds: "coredata_statement_seconds_total"
      case .rows: "coredata_rows_total"
      case .slowStatements: "coredata_slow_statements_total"
      case .waits: "coredata_waits_total"
      case .waitSeconds: "coredata_wait_seconds_total"
      case .cacheHits: "coredata_row_cache_hits_total"
      case .cacheMisses: "coredata_row_cache_misses_total"
      case .faults: "coredata_faults_total"
      case .repeatedFaults: "coredata_repeated_faults_total"
      }
    }

    var help: String {
      switch self {
      case .statements: "The SQL statements that have run."
      case .statementSeconds: "The time of SQL statements."
      case .rows: "The rows that SQL statements have returned."
      case .slowStatements: "The SQL statements that took longer than the limit."
      case .waits: "How often a thread had to wait for a connection."
      case .waitSeconds: "The time for which threads have waited for a connection."
      case .cacheHits: "The rows of faults that were in the row cache."
      case .cacheMisses: "The rows of faults that were not in the row cache."
      case .faults:
        "The statements for a single object, or for the members of one object's relationship."
      case .repeatedFaults: "How often a context has read object by object what a fetch could read."
      }
    }

    var labels: [String] {
      switch self {
      case .statements, .statementSeconds, .waits, .waitSeconds: ["store", "kind"]
      case .rows, .slowStatements: ["store"]
      case .cacheHits, .cacheMisses, .repeatedFaults: ["entity"]
      case .faults: ["entity", "relationship"]
      }
    }
  }
}

extension Sequence<MetricSample> {
  /// The figures as a page in Prometheus's text format, version 0.0.4.
  ///
  /// Figures of one name must follow each other. Use this to put figures of your own on the page of a counter's.
  public var prometheusText: String {
    var text = ""
    var last: String?
    for sample in self {
      if sample.name != last {
        text += "# HELP \(sample.name) \(sample.help.escaped(in: false))\n"
        text += "# TYPE \(sample.name) \(sample.kind.rawValue)\n"
        last = sample.name
      }
      let labels = sample.labels.sorted { $0.key < $1.key }
        .map { "\($0.key)=\"\($0.value.escaped(in: true))\"" }
      let place = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      text += "\(sample.name)\(place) \(sample.value)\n"
    }
    return text
  }
}

extension String {
  /// The text on one line, as the format wants it.
  fileprivate func escaped(in quotes: Bool) -> String {
    var text = replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    if quotes { text = text.replacing("\"", with: "\\\"") }
    return text
  }
}
