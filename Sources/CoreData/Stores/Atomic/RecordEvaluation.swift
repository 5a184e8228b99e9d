import CoreDataPredicates
import CoreDataSQL
import Foundation

/// Makes the records of a plan from rows in memory, as a database would from its table.
///
/// ```
/// rows ─▶ groups ─▶ having ─▶ values ─▶ distinct ─▶ order ─▶ range
/// ```
struct RecordEvaluation {
  let plan: RecordPlan

  /// A record before it is put in order, and what decides about its place.
  private struct Candidate {
    let record: Record
    /// The values that distinguish records.
    let key: RecordKey
    /// A row of the record; the values to sort by are the same in all of them.
    let sample: StoredObject?
  }

  /// The rows come in the order of the plan; those of groups in the order of their keys.
  func records(of rows: [StoredObject]) throws(EvaluationError) -> [Record] {
    var candidates = plan.aggregates ? try groups(of: rows) : try single(rows)
    if plan.isDistinct {
      var seen: Set<RecordKey> = []
      candidates.removeAll { !seen.insert($0.key).inserted }
    }
    if plan.isDistinct || !plan.groups.isEmpty { try sort(&candidates) }
    let rest = candidates.dropFirst(plan.source.offset)
    return (plan.source.limit.map { rest.prefix($0) } ?? rest).map(\.record)
  }
}

// MARK: - Candidates

extension RecordEvaluation {
  private func single(_ rows: [StoredObject]) throws(EvaluationError) -> [Candidate] {
    try rows.map { row throws(EvaluationError) in
      let values = try plan.columns.map { column throws(EvaluationError) in
        try column.expression.value(with: row)
      }
      return candidate(
        values,
        sample: row,
        key: plan.isDistinct ? RecordKey(values) : RecordKey([])
      )
    }
  }

  private func groups(of rows: [StoredObject]) throws(EvaluationError) -> [Candidate] {
    var places: [RecordKey: Int] = [:]
    var groups: [(key: RecordKey, rows: [StoredObject])] = []
    // Without groups all rows are one, even if there are no rows.
    if plan.groups.isEmpty { groups.append((RecordKey([]), rows)) }
    for row in plan.groups.isEmpty ? [] : rows {
      let values = try plan.groups.map { group throws(EvaluationError) in
        try group.expression.value(with: row)
      }
      let key = RecordKey(values)
      if let place = places[key] {
        groups[place].rows.append(row)
      } else {
        places[key] = groups.count
        groups.append((key, [row]))
      }
    }
    var candidates: [Candidate] = []
    for group in groups {
      if let having = plan.having {
        let condition = try having.mappingExpressions { side throws(EvaluationError) in
          try aggregated(side, over: group.rows)
        }
        guard try condition.evaluate(with: group.rows.first) else { continue }
      }
      let values = try plan.columns.map { column throws(EvaluationError) in
        try aggregated(column.expression, over: group.rows).value(with: group.rows.first)
      }
      let key = plan.isDistinct ? RecordKey(values) : group.key
      candidates.append(candidate(values, sample: group.rows.first, key: key))
    }
    return candidates
  }

  private func candidate(_ values: [Any?], sample: StoredObject?, key: RecordKey) -> Candidate {
    let values = zip(plan.columns, values).map { $0.form.value(of: $1) }
    return Candidate(record: Record(values: values), key: key, sample: sample)
  }

  /// The expression with numbers in the place of aggregates.
  private func aggregated(
    _ expression: CoreDataPredicates.ExpressionTree,
    over rows: [StoredObject]
  ) throws(EvaluationError) -> CoreDataPredicates.ExpressionTree {
    guard expression.isAggregateOfRows(in: plan.source.layout),
      case .function(let function, let arguments) = expression
    else {
      return try expression.mappingParts { part throws(EvaluationError) in
        try aggregated(part, over: rows)
      }
    }
    var values: [Any?] = []
    for row in rows {
      if let value = try arguments[0].value(with: row) { values.append(value) }
    }
    return .constant(try function.value(of: [ValueCollection(.list, values)]))
  }
}

// MARK: - Order

extension RecordEvaluation {
  private func sort(_ candidates: inout [Candidate]) throws(EvaluationError) {
    let terms = plan.source.sort
    do {
      try candidates.sort { one, other in
        for term in terms {
          guard let sample = one.sample, let next = other.sample else { break }
          switch try sample.compare(to: next, by: term) {
          case .orderedAscending: return true
          case .orderedDescending: return false
          case .orderedSame: continue
          }
        }
        return one.key < other.key
      }
    } catch let error as EvaluationError {
      throw error
    } catch {
      throw EvaluationError("\(error)")
    }
  }
}

/// Values as a database compares them: nothing, then numbers, texts by their bytes, bytes; and at last the results of
/// transformers, which are equal or not and do not have an order.
private struct RecordKey: Hashable, Comparable {
  private let parts: [Part]

  fileprivate enum Part: Hashable, Comparable {
    case nothing
    case number(Double, Int64?)
    case bytes([UInt8])
    case data([UInt8])
    case other(Constant)
  }

  init(_ values: [Any?]) {
    parts = values.map { Part($0) }
  }

  static func < (one: RecordKey, other: RecordKey) -> Bool {
    one.parts.lexicographicallyPrecedes(other.parts)
  }
}

extension RecordKey.Part {
  fileprivate init(_ value: Any?) {
    let constant = Constant(value)
    switch constant.kind {
    case .nothing: self = .nothing
    case .integer(let value): self = .number(Double(value), value)
    case .real(let value): self = Self.number(value)
    case .decimal(let value):
      switch SQLValue(value) {
      case .integer(let value): self = .number(Double(value), value)
      case .real(let value): self = Self.number(value)
      case .null, .text, .blob: self = .nothing
      }
    case .date(let date): self = Self.number(date.timeIntervalSinceReferenceDate)
    case .text(let text): self = .bytes(Array(text.utf8))
    case .url(let url): self = .bytes(Array(url.absoluteString.utf8))
    case .uuid(let uuid): self = .data(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .data(let data): self = .data(Array(data))
    case .object(let object as StoredObject):
      self = .number(Double(object.row.primaryKey), object.row.primaryKey)
    case .collection, .object: self = .other(constant)
    }
  }

  private static func number(_ real: Double) -> Self {
    // Zero has two signs, and one place.
    .number(real == 0 ? 0 : real, Int64(exactly: real))
  }

  fileprivate static func < (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.nothing, .nothing): return false
    case (.number(let x, let whole), .number(let y, let other)):
      if let whole, let other { return whole < other }
      return x < y
    case (.bytes(let x), .bytes(let y)), (.data(let x), .data(let y)):
      return x.lexicographicallyPrecedes(y)
    case (.nothing, _), (.number, _), (.bytes, _), (.data, _), (.other, _):
      return one.rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .number: 1
    case .bytes: 2
    case .data: 3
    case .other: 4
    }
  }
}
