import CoreData

/// The trip in which a save writes its plan.
///
/// ```
/// what begins the transaction, as far as it has not begun
/// what the history keeps of rows that go, if they leave values
/// the steps of the plan
/// derived attributes, RETURNING their rows
/// the rest of the history, if the transaction has its number already
/// the rows in which the server may have something else than was written
/// metadata, what tells others, a look whether the zone is still there, the transaction's number
/// ```
///
/// The history of other plans goes with the COMMIT (`later`): from its number on, others who write to the zone wait.
struct PostgreSQLSaveTrip {
  private let schema: StoreSchema
  private let connection: PostgreSQLConnection
  private let steps: [PostgreSQLPlanWriter.Step]
  private let derivations: PostgreSQLDerivations
  private let reading: WrittenRowsReading
  private let requests: [PostgreSQLRequest]
  /// The requests to the history for the trip of the COMMIT.
  let later: [PostgreSQLRequest]
  private let places: Places
  private var answers: [any PostgreSQLRows] = []

  /// Where the answers to each part are.
  private struct Places {
    let before, steps, computed, after, read: Range<Int>
  }

  /// The requests around the plan.
  struct Frame {
    var opening: [PostgreSQLRequest]
    var closing: [PostgreSQLRequest]
  }

  init(
    _ plan: SavePlan,
    _ steps: [PostgreSQLPlanWriter.Step],
    in frame: Frame,
    _ schema: StoreSchema,
    computing derivations: PostgreSQLDerivations,
    toldBy history: inout PostgreSQLHistoryWriter?,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    var (requests, derivations) = (frame.opening, derivations)
    let reading = try WrittenRowsReading(plan, schema, on: connection)
    let deleted = Array(plan.deletedInHistory)
    let comesFirst = history?.needsRows(of: deleted) ?? false
    let before = requests.add(comesFirst ? history?.requests(for: deleted) ?? [] : [])
    let written = requests.add(steps.map(\.request))
    let computed = requests.add(try derivations.steps())
    let late = comesFirst ? [] : history?.requests(for: deleted) ?? []
    let rest = late + Self.rest(of: plan, derivations, &history)
    later = comesFirst ? [] : rest
    places = Places(
      before: before,
      steps: written,
      computed: computed,
      after: requests.add(comesFirst ? rest : []),
      read: requests.add(try reading.requests())
    )
    self.requests = requests + frame.closing
    self.schema = schema
    self.connection = connection
    self.steps = steps
    self.derivations = derivations
    self.reading = reading
  }

  /// The requests to the history behind the steps: computed values belong to the changes, and are not known yet.
  private static func rest(
    of plan: SavePlan,
    _ derivations: PostgreSQLDerivations,
    _ history: inout PostgreSQLHistoryWriter?
  ) -> [PostgreSQLRequest] {
    let changes = plan.writtenInHistory
    if derivations.isEmpty { return history?.requests(for: changes) ?? [] }
    return changes.isEmpty ? [] : history?.numbering() ?? []
  }

  mutating func run() throws(PostgreSQLError) {
    answers = try connection.run(requests)
  }
}

extension [PostgreSQLRequest] {
  /// Adds requests behind the others, and gives the place of their answers.
  fileprivate mutating func add(_ more: [PostgreSQLRequest]) -> Range<Int> {
    self += more
    return count - more.count..<count
  }
}

// MARK: - The results

extension PostgreSQLSaveTrip {
  /// The server's number of the transaction.
  var number: String? {
    answers.last?.bytes(0, 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The answer about the zone, which precedes the number.
  var presence: (any PostgreSQLRows)? { answers.dropLast().last }

  /// The answer that numbers the transaction in the history; `nil` if there was no such request.
  var numbering: (any PostgreSQLRows)? {
    places.before.isEmpty ? nil : answers[places.before.lowerBound]
  }

  /// The rows that had other versions than the steps expected.
  func conflicts() throws(PostgreSQLError) -> [RowConflict] {
    var conflicts: [RowConflict] = []
    for (step, answer) in zip(steps, answers[places.steps]) {
      conflicts += try self.conflicts(step, answer)
    }
    return conflicts
  }

  private func conflicts(
    _ step: PostgreSQLPlanWriter.Step,
    _ answer: any PostgreSQLRows
  ) throws(PostgreSQLError) -> [RowConflict] {
    guard step.wanted.count > Int(answer.rowCount) else { return [] }
    var found: Set<Int64> = []
    for row in 0..<answer.rowCount {
      guard let bytes = answer.bytes(row, 0), bytes.count == 8 else { continue }
      found.insert(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    }
    var conflicts: [RowConflict] = []
    for row in step.wanted where !found.contains(row.number) {
      let stored = try schema.row(row.number, of: row.layout, on: connection)?.snapshot
      conflicts.append(RowConflict(primaryKey: row.number, layout: row.layout, stored: stored))
    }
    return conflicts
  }

  /// The computed values, and the rows that have them.
  func computed() throws(PostgreSQLError) -> (reported: [ReportedRow], rows: [Row]) {
    try derivations.found(in: answers[places.computed])
  }

  /// The rows in which the server may have something else than was written, as they are.
  func rows() throws(PostgreSQLError) -> [ChangedRow: Snapshot] {
    try reading.rows(in: answers[places.read])
  }
}
