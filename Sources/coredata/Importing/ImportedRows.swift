import CoreData

/// The rows of a file, as a batch insertion has them written.
final class ImportedRows<Reader: RecordReader>: RowFiller {
  private var records: Reader
  private var record = ImportedRecord()
  private let plan: ImportPlan
  private let progress: ProgressLine
  private var count = 0
  private(set) var duplicates = ImportedDuplicates()
  /// Why there was no next row, if that is not the end of the file.
  private(set) var failure: (any Error)?

  init(_ records: Reader, _ plan: ImportPlan, _ progress: ProgressLine) {
    self.records = records
    self.plan = plan
    self.progress = progress
  }

  func fill(_ row: inout RowPen) throws -> Bool {
    do {
      guard try records.read(&record) else { return false }
      count += 1
      if count.isMultiple(of: 1_000) { progress.show("writing", count) }
      try plan.meet(records.columns)
      try write(to: &row)
      return true
    } catch {
      failure = error
      throw error
    }
  }

  func refused(_ row: Int, for others: [DuplicatedRow]) {
    duplicates.add(others, of: row)
  }

  /// A checked record is refused only if the file or the store has changed since.
  private func write(to row: inout RowPen) throws {
    do {
      try plan.write(record, to: &row)
    } catch let refusal as Refusal {
      throw Refusal("\(Reader.placeName) \(record.place): \(refusal)")
    }
  }
}
