import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The check of the store's file, as `coredata check` makes it, with its progress.
struct StoreCheckup {
  static let name = "check"

  let store: OpenStore
  let url: URL
  /// Whether every index is compared with its table, and every archive opened.
  let isDeep: Bool

  /// Checks the file; a job that is not wanted any more ends within a moment.
  func report(_ job: Job) throws -> JSONValue {
    var checker = StoreChecker(
      storeAt: url,
      model: store.contents.isModelGiven ? store.schema : nil,
      isDeep: isDeep,
      derivesModel: true
    )
    checker.progress = { job.tell($0.done, of: $0.total, $0.subject) }
    checker.isWanted = { job.isWanted }
    let report = try checker.report()
    return [
      "isDeep": .boolean(isDeep),
      "isSound": .boolean(report.isSound),
      "hasCheckedRows": .boolean(report.hasCheckedRows),
      "modelDifference": report.modelDifference.map { .text($0) } ?? .null,
      "isPartial": .boolean(report.isPartial),
      "findings": .array(report.findings.prefix(Self.most).map(json)),
      "left": .integer(max(0, report.findings.count - Self.most)),
    ]
  }

  /// More findings are for `coredata check`.
  private static let most = 500
}

// MARK: - Findings

extension StoreCheckup {
  private func json(_ finding: Finding) -> JSONValue {
    let entity = entity(of: finding.place)
    let (rows, names) = (rows(finding.examples), names(finding.examples))
    return .object([
      .init(name: "severity", value: .text(finding.severity.rawValue)),
      .init(name: "check", value: .text(finding.check.rawValue)),
      .init(name: "place", value: .text(finding.place.description)),
      .init(name: "entity", value: entity.map { .text($0) } ?? .null),
      .init(name: "property", value: finding.place.property.map { .text($0) } ?? .null),
      .init(name: "sentence", value: .text(finding.sentence)),
      .init(name: "count", value: .integer(finding.count)),
      .init(
        name: "objects",
        value: .array(entity.map { entity in rows.map { .text("\(entity)/p\($0)") } } ?? [])
      ),
      .init(name: "names", value: .array(names.map { .text($0) })),
      .init(name: "repair", value: finding.remedy.map { .text($0.sentence) } ?? .null),
      .init(name: "advice", value: finding.advice.map { .text($0) } ?? .null),
      .init(name: "deletesObjects", value: .boolean(finding.remedy?.deletesObjects ?? false)),
    ])
  }

  /// The entity whose objects are meant; the root for a table that several entities share.
  private func entity(of place: Finding.Place) -> String? {
    if let entity = place.entity { return store.schema.entity(named: entity)?.name }
    guard case .table(let table) = place else { return nil }
    return store.schema.entities.first { entity in
      entity.superentityName == nil && "Z" + entity.name.uppercased() == table
    }?.name
  }

  private func rows(_ examples: Finding.Examples) -> [Int64] {
    if case .rows(let numbers) = examples { numbers } else { [] }
  }

  private func names(_ examples: Finding.Examples) -> [String] {
    switch examples {
    case .none, .rows: []
    case .pairs, .pages, .names: examples.words
    }
  }
}
