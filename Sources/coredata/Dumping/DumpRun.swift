import CoreData
import CoreDataStoreCare
import Foundation

/// Prints one entity after the other; parts that cannot be read are remembered, and reported at the
/// end.
///
/// ```
/// plan ─▶ rows ─▶ printer
///      ╰▶ an error before the first row ─▶ the columns that can be read ─▶ rows ─▶ printer
///      ╰▶ an error between two rows ─▶ the rows behind it, of what can be salvaged
///      ╰▶ a file beside the store that is not there ─▶ the row without that value
/// ```
struct DumpRun {
  let store: OpenedStore
  let printer: any DumpPrinter
  let limit: Int?
  let offset: Int
  private(set) var gaps: [DumpGap] = []
  private var missing = MissingFiles()
  /// Salvages the store, if pages of it are damaged.
  private let salvage: () throws -> SalvagedDump?
  private var salvaged: SalvagedDump?
  /// The key of the last row that was printed of an entity, as long as they come in their order.
  private var last: Int64?

  init(
    _ store: OpenedStore,
    to printer: any DumpPrinter,
    limit: Int?,
    offset: Int,
    salvage: @escaping () throws -> SalvagedDump?
  ) {
    self.salvage = salvage
    self.store = store
    self.printer = printer
    self.limit = limit
    self.offset = offset
  }

  mutating func print(_ plans: [DumpPlan]) throws {
    try printer.begin()
    for plan in plans { try print(plan) }
    gaps += missing.gaps
    try printer.end()
  }

  private mutating func print(_ plan: DumpPlan) throws {
    var count = 0
    do {
      try printRows(of: plan, &count)
    } catch let error as NSError where error.isOfFile {
      if try printRest(of: plan, &count) { return }
      let (readable, left) = plan.readable(in: store.coordinator)
      guard count == 0, let readable, readable.asksForLess(than: plan) else {
        try giveUp(plan, after: count, error)
        return
      }
      gaps += left.map { .property("\(plan.entity.name).\($0.title)", reason: $0.reason) }
      do {
        try printRows(of: readable, &count)
      } catch let error as NSError where error.isOfFile {
        try giveUp(readable, after: count, error)
      }
    }
  }

  /// Prints the rows behind a damaged page.
  ///
  /// - Returns: False if the file is not damaged, or nobody could say which rows are missing.
  private mutating func printRest(of plan: DumpPlan, _ count: inout Int) throws -> Bool {
    guard let last, limit == nil, offset == 0 else { return false }
    if salvaged == nil { salvaged = try salvage() }
    let name = plan.entity.name
    guard let salvaged, let rest = salvaged.plans.first(where: { $0.entity.name == name }) else {
      return false
    }
    let mayMissFiles = plan.columns.contains(where: \.mayNameFiles)
    try rest.forEachRow(in: salvaged.store.coordinator) { row in
      guard row.key.primaryKey > last else { return }
      try printer.row(row, of: plan)
      if mayMissFiles { missing.look(at: row, of: plan) }
      count += 1
    }
    gaps.append(.pages(plan.entity.name, printed: count, losses: salvaged.source.losses))
    try printer.end(plan, rows: count, next: nil)
    return true
  }

  private mutating func giveUp(_ plan: DumpPlan, after count: Int, _ error: NSError) throws {
    gaps.append(.entity(plan.entity.name, printed: count, reason: error.reasonAlone))
    try printer.abandon(plan, rows: count)
  }

  private mutating func printRows(of plan: DumpPlan, _ count: inout Int) throws {
    try printer.begin(plan)
    let mayMissFiles = plan.columns.contains(where: \.mayNameFiles)
    // At a terminal the rows themselves show how far it is.
    let progress = Terminal.output.isInteractive ? nil : ProgressLine()
    defer { progress?.erase() }
    var hasMore = false
    last = 0
    try DumpPlan.refusals(in: plan) {
      try plan.forEachRow(in: store.coordinator) { row in
        // One more than was asked for shows that there are more.
        if let limit, count >= limit {
          hasMore = true
          return
        }
        try printer.row(row, of: plan)
        if mayMissFiles { missing.look(at: row, of: plan) }
        count += 1
        let key = row.key.primaryKey
        last = last.flatMap { key > $0 ? key : nil }
        if count & 1023 == 0 { progress?.show("reading \(plan.entity.name.inOneLine)", count) }
      }
    }
    progress?.erase()
    try printer.end(plan, rows: count, next: hasMore ? offset + count : nil)
  }
}

/// The readable part of a damaged store, and the plans of the same dump for it.
struct SalvagedDump {
  let source: SalvagedSource
  let store: OpenedStore
  let plans: [DumpPlan]
}

// MARK: - Which columns can be read

extension DumpPlan {
  /// The same without the columns that the file does not have, and why each was left out.
  ///
  /// Nil where not even the keys can be read.
  fileprivate func readable(
    in coordinator: NSPersistentStoreCoordinator
  ) -> (plan: DumpPlan?, left: [(title: String, reason: String)]) {
    guard reasonAgainst(nil, in: coordinator) == nil else { return (nil, []) }
    var left: [(title: String, reason: String)] = []
    let kept = columns.compactMap { column -> ShownColumn? in
      guard let reason = reasonAgainst(column, in: coordinator) else { return column }
      // The key of an object may be there, and the name of that object not.
      if let plain = column.withoutName, reasonAgainst(plain, in: coordinator) == nil {
        return plain
      }
      left.append((column.title, reason))
      return nil
    }
    return (with(kept), left)
  }

  /// Whether another attempt is worth it.
  fileprivate func asksForLess(than plan: DumpPlan) -> Bool {
    columns.count < plan.columns.count
      || columns.flatMap(\.records).count < plan.columns.flatMap(\.records).count
  }

  /// Why a column, or the key alone, cannot be read; `nil` if it can.
  private func reasonAgainst(
    _ column: ShownColumn?,
    in coordinator: NSPersistentStoreCoordinator
  ) -> String? {
    do {
      if case .members(let relationship)? = column?.kind {
        // No object has the number 0; whether the statement can be made is the question.
        let nobody = StoredKey(entity: entity.name, primaryKey: 0)
        try coordinator.forEachMember(of: nobody, relationship) { _ in }
      } else {
        try with(column.map { [$0] } ?? []).forFirstRow(in: coordinator)
      }
      return nil
    } catch {
      return (error as NSError).reasonAlone
    }
  }
}

extension ShownColumn {
  fileprivate var withoutName: ShownColumn? {
    guard case .object = kind, records.count > 1 else { return nil }
    return ShownColumn(title: title, kind: kind, records: Array(records.prefix(1)))
  }
}

// MARK: - What is missing

/// The parts that a dump lacks, although they were asked for.
enum DumpGap {
  case entity(String, printed: Int, reason: String)
  case property(String, reason: String)
  /// Objects on damaged pages of the file; `losses` are lines about tables.
  case pages(String, printed: Int, losses: [String])
  /// Values of a property in files that are missing.
  case files(String, count: Int, first: String)

  /// The sentences about all gaps, and the advice.
  ///
  /// If one entity was asked for and does not exist, there is nothing else.
  static func words(for gaps: [DumpGap], of entity: String?, inStoreAt url: URL) -> String {
    let isNothing = entity != nil && gaps.contains(where: \.isWholeEntity)
    let rest = isNothing ? "" : "Everything else was printed. "
    let support = gaps.contains(where: \.isOfFiles) ? remedy(forFilesOf: url) : ""
    let advice =
      url.isFileURL
      ? "coredata check \(url.relativePath) says more about the file."
      : "The server's log says more."
    return (gaps.map(\.sentence) + [rest + support + advice]).joined(separator: "\n")
  }

  private static func remedy(forFilesOf store: URL) -> String {
    let folder = ExternalFiles.folder(besides: store).deletingLastPathComponent()
    return "Large data belong into the folder \(folder.lastPathComponent.inOneLine) beside the "
      + "store; copy it from where the store came. "
  }

  private var sentence: String {
    switch self {
    case .entity(let name, 0, let reason):
      "\(name) cannot be read, and was left out: \(reason)"
    case .entity(let name, let count, let reason):
      "\(name) cannot be read to its end; \(count.of("row")) of it "
        + "\(count == 1 ? "was" : "were") printed: \(reason)"
    case .pages(let name, let count, let losses):
      ([
        "\(name) is on damaged pages in part; \(count.of("row")) that can be read were printed:"
      ] + losses).joined(separator: "\n")
    case .property(let name, let reason):
      "\(name) cannot be read, and was left out: \(reason)"
    case .files(let name, 1, let first):
      "\(name): a value was left out, because the file of it is not there: \(first.inOneLine)"
    case .files(let name, let count, let first):
      "\(name): \(count.grouped) values were left out, because the files of them are not there; one is "
        + first.inOneLine
    }
  }

  private var isOfFiles: Bool { if case .files = self { true } else { false } }

  private var isWholeEntity: Bool { if case .entity = self { true } else { false } }
}

/// Values in files beside the store that are missing.
struct MissingFiles {
  private var found: [String: (count: Int, first: String)] = [:]

  mutating func look(at row: DumpPlan.Row, of plan: DumpPlan) {
    for (column, cell) in zip(plan.columns, row.cells) {
      guard case .file(let file) = cell, file.size == nil else { continue }
      found["\(plan.entity.name).\(column.title)", default: (0, file.name)].count += 1
    }
  }

  var gaps: [DumpGap] {
    found.sorted { $0.key < $1.key }
      .map { .files($0.key, count: $0.value.count, first: $0.value.first) }
  }
}

extension NSError {
  /// Whether the file is at fault, and other entities may be read nevertheless.
  ///
  /// Another program's lock concerns all of them alike, and so does what was written wrongly.
  fileprivate var isOfFile: Bool {
    domain == NSCocoaErrorDomain && userInfo[NSUnderlyingErrorKey] != nil
      && code != NSPersistentStoreTimeoutError
  }
}
