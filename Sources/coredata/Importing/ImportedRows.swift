/// The rows of a file for a batch insertion, which ends with an error where one cannot be read any more.
final class ImportedRows<Reader: RecordReader>: Sequence, IteratorProtocol {
  private var records: Reader
  private let plan: ImportPlan
  private let progress: ProgressLine
  private var count = 0
  /// Why there was no next row, if that is not the end of the file.
  private(set) var failure: (any Error)?

  init(_ records: Reader, _ plan: ImportPlan, _ progress: ProgressLine) {
    self.records = records
    self.plan = plan
    self.progress = progress
  }

  func next() -> ReadRow? {
    if failure != nil { return nil }
    do {
      guard let record = try records.next() else { return nil }
      count += 1
      if count.isMultiple(of: 1_000) { progress.show("writing", count) }
      return .row(try plan.row(of: record))
    } catch {
      failure = error
      return .failure(error)
    }
  }
}

/// A row, or why there is none: encoding that ends the insertion.
enum ReadRow: Encodable {
  case row(ImportedRow)
  case failure(any Error)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .row(let row): try row.encode(to: encoder)
    case .failure(let error): throw error
    }
  }
}
