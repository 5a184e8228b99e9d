/// Informs the filler of an insertion's rows of those that have unique values of other rows.
package struct BatchRefusals {
  private let filler: any RowFiller
  package private(set) var isEmpty = true
  /// The places from which keys and rows, which rise together, differ by another distance.
  private var runs: [(key: Int64, row: Int)] = []

  package init(_ filler: any RowFiller) {
    self.filler = filler
  }

  /// Notes the key that a row gets, counted from 1.
  package mutating func note(_ key: Int64, of row: Int) {
    if let last = runs.last, key - last.key == row - last.row { return }
    runs.append((key, row))
  }

  package mutating func tell(_ row: Int, _ others: [(constraint: UniqueConstraint, row: Row)]) {
    isEmpty = false
    filler.refused(
      row,
      for: others.map { DuplicatedRow(properties: $0.constraint.names, place: place(of: $0.row)) }
    )
  }

  private func place(of row: Row) -> DuplicatedRow.Place {
    guard let run = runs.last(where: { $0.key <= row.primaryKey }) else {
      return .stored(entity: row.layout.name, key: row.primaryKey)
    }
    return .earlier(run.row + Int(row.primaryKey - run.key))
  }
}
