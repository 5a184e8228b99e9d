import CoreDataModel
import CoreDataPredicates
import Foundation
import Synchronization

/// How a store is opened whose file is read and written whole.
struct WholeFileStore<Format: StoreFormat> {
  private let place: StorePlace
  private let file: WholeFile
  private let format = Format()
  /// Where Apple's framework begins to count.
  private static var firstKey: Int64 { 102 }

  private init(_ place: StorePlace, _ url: URL) {
    self.place = place
    file = WholeFile(url: url, steps: FileSteps())
  }

  /// Reads the file; a missing file is created, and an empty one counts as missing.
  ///
  /// Throws 134080 for a model that such a file cannot keep, 259 for a file that is damaged or
  /// something else, 134010 for a store of another type and
  /// 134100 for one of another model.
  static func open(
    _ place: StorePlace,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    guard let url = place.url, url.isFileURL else {
      throw StoreFailure(.missingFile, path: place.shownAddress).error()
    }
    return try WholeFileStore(place, url).open(for: coordinator)
  }

  private func open(for coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    let model = coordinator.layout
    try translating { try format.check(model) }
    let content = try file.read()
    var document = StoreDocument(
      metadata: Self.newMetadata(model.schema, place.configuration),
      lastKeys: [:],
      objects: []
    )
    if let content, !content.isEmpty {
      let found = try translating { try format.metadata(from: content) }
      try place.check(found, against: model)
      document = try translating { try format.document(from: content, in: model) }
    } else if place.isReadOnly {
      throw StoreFailure(.missingFile, path: file.path).error()
    } else {
      let contents = StoreContents(metadata: document.metadata, lastKeys: [:]) { _ in }
      try translating {
        try file.stage { try format.write(contents, in: model, to: &$0) }.commit()
      }
    }
    return try store(with: document, for: coordinator)
  }

  private func store(
    with document: StoreDocument,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    var rows = try translating {
      try RowAssembly.rows(of: document.objects, in: coordinator.layout)
    }
    rows.sharesKeys = Format.sharesKeys
    if rows.sharesKeys {
      rows.lastKeys = [0: max(rows.lastKeys.values.max() ?? 0, Self.firstKey - 1)]
    }
    rows.lastKeys.merge(document.lastKeys) { max($0, $1) }
    let keeper = FileKeeper<Format>(
      file,
      model: coordinator.layout,
      number: place.number,
      metadata: document.metadata
    )
    let memory = MemoryStore(
      coordinator.layout,
      number: place.number,
      rows: rows,
      keeper: keeper
    )
    return NSPersistentStore(
      place,
      backend: memory,
      metadata: document.metadata,
      coordinator: coordinator
    )
  }

  /// The metadata of a new file, a UUID of its own included.
  static func newMetadata(_ schema: ModelSchema, _ configuration: String?) -> [String: Any] {
    var metadata = StoreMetadata(for: schema, in: configuration).dictionary
    metadata["_NSAutoVacuumLevel"] = nil
    metadata[NSStoreTypeKey] = Format.type
    metadata[NSStoreUUIDKey] = UUID().uuidString
    return metadata
  }

  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    try FormatProblem.translating(path: file.path, body)
  }
}

extension FormatProblem {
  /// Runs a step of reading or writing; a defect of the file, or a content that it cannot have, becomes an error that
  /// names it.
  static func translating<Result>(path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as FormatProblem {
      throw WholeFileFailure(.damaged(problem.sentence), path: path).error
    } catch let problem as UnwritableContent {
      throw WholeFileFailure(.unwritable(problem.sentence), path: path).error
    } catch let problem as UnkeepableModel {
      throw WholeFileFailure(.unkeepableModel(problem.sentence), path: path).error
    } catch let problem as RowAssembly.Problem {
      throw WholeFileFailure(.unfitting(problem.sentence), path: path).error
    }
  }
}

// MARK: - Keeping

/// Writes the rows of a store in memory into its file.
final class FileKeeper<Format: StoreFormat>: RowKeeper, WatchedFile, Sendable {
  private let model: ModelLayout
  private let number: StoreNumber
  private let state: Mutex<KeptFile>

  fileprivate struct KeptFile: Sendable {
    var file: WholeFile
    /// The file as it was read or written here; `nil` if any present file may be replaced.
    var mark: FileMark?
    var metadata: Immutable<[String: Any]>
  }

  init(_ file: WholeFile, model: ModelLayout, number: StoreNumber, metadata: [String: Any]) {
    self.model = model
    self.number = number
    state = Mutex(KeptFile(file: file, mark: file.mark, metadata: Immutable(metadata)))
  }

  var steps: FileSteps { state.withLock { $0.file.steps } }

  func transaction(keeping rows: MemoryTransaction) throws -> any SaveTransaction {
    FileTransaction(rows, self)
  }

  func close() {}

  func move(to url: URL) {
    state.withLock { state in
      state.file = WholeFile(url: url, steps: state.file.steps)
      state.mark = nil
    }
  }

  /// Writes rows beside the file; throws 134030 if somebody else has written it.
  fileprivate func stage(_ rows: MemoryRows, _ new: Immutable<[String: Any]>?) throws -> StagedFile
  {
    let current = state.withLock { $0 }
    if let mark = current.mark, mark != current.file.mark {
      throw WholeFileFailure(.changedMeanwhile, path: current.file.path).error
    }
    let contents = StoreContents(
      metadata: (new ?? current.metadata).value,
      lastKeys: rows.lastKeys
    ) { body in
      try rows.forEachObject(in: self.model, of: self.number, body)
    }
    return try FormatProblem.translating(path: current.file.path) {
      try current.file.stage { try Format().write(contents, in: model, to: &$0) }
    }
  }

  fileprivate func noteCommit(_ new: Immutable<[String: Any]>?) {
    state.withLock { state in
      state.mark = state.file.mark
      if let new { state.metadata = new }
    }
  }
}

/// A keeper whose file one can watch being written.
protocol WatchedFile: AnyObject {
  var steps: FileSteps { get }
}

/// One save in a file that is written whole.
final class FileTransaction<Format: StoreFormat>: SaveTransaction {
  private let rows: MemoryTransaction
  private let keeper: FileKeeper<Format>
  private var metadata: Immutable<[String: Any]>?
  private var staged: StagedFile?

  init(_ rows: MemoryTransaction, _ keeper: FileKeeper<Format>) {
    self.rows = rows
    self.keeper = keeper
  }

  func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    try rows.reserveKeys(root: root, count: count)
  }

  var sharesKeys: Bool { rows.sharesKeys }

  func setMetadata(_ metadata: [String: Any]) throws {
    self.metadata = Immutable(metadata)
  }

  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row] {
    try rows.rows(with: values, in: constraint)
  }

  func conflicts(with plan: SavePlan) throws -> [RowConflict] { try rows.conflicts(with: plan) }

  func perform(_ plan: SavePlan) throws -> SaveReceipt {
    let receipt = try rows.perform(plan)
    staged = try keeper.stage(rows.rows, metadata)
    return receipt
  }

  func commit() throws {
    if let staged {
      try staged.commit()
      keeper.noteCommit(metadata)
      self.staged = nil
    }
    try rows.commit()
  }

  func rollback() {
    staged?.discard()
    staged = nil
    rows.rollback()
  }

  deinit {
    rollback()
  }
}
