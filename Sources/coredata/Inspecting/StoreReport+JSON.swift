import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

// MARK: - For programs

extension StoreReport {
  var json: JSONValue {
    [
      "store": storeJSON, "model": modelJSON, "file": fileJSON,
      "entities": .array(entries.map { json(of: $0) }),
      "history": historyJSON,
      "cloudKit": .array(facts.cloudKitTables.map { .text($0) }),
      "health": ["good": .boolean(health.isGood), "sentence": .text(health.sentence)],
    ]
  }

  private var storeJSON: JSONValue {
    [
      "path": .text(facts.url.path),
      "uuid": uuid.map { .text($0) } ?? .null,
      "frameworkVersion": origin.map { .integer($0.number) } ?? .null,
      "system": origin.map { .text($0.system) } ?? .null,
      "hashesVersion": hashesVersion.map { .integer($0) } ?? .null,
      "versionIdentifiers": .array(versionIdentifiers.map { .text($0) }),
      "metadata": .object(appKeys.map { JSONValue.Member(name: $0.key, value: $0.value) }),
    ]
  }

  private var modelJSON: JSONValue {
    guard case .found(let model) = model else { return .null }
    return [
      "place": .text(model.place),
      "checksum": .text(model.schema.versionChecksum),
      "difference": difference.map { .text($0) } ?? .null,
    ]
  }

  private var fileJSON: JSONValue {
    [
      "bytes": .integer(facts.size(ofFileNamed: "") ?? 0),
      "pageSize": .integer(facts.database.pageSize),
      "pages": .integer(facts.database.pageCount),
      "freePages": .integer(facts.database.freePageCount),
      "journal": .text(facts.database.journalMode),
      "logBytes": facts.size(ofFileNamed: "-wal").map { .integer($0) } ?? .null,
      "log": logJSON,
      "externalFiles": .integer(facts.externalFiles?.count ?? 0),
      "externalBytes": .integer(facts.externalFiles?.bytes ?? 0),
    ]
  }

  private var logJSON: JSONValue {
    guard let log = facts.log else { return .null }
    return [
      "frames": .integer(log.frameCount), "damagedFrames": .integer(log.damagedCount),
      "readFrames": .integer(log.readCount), "isDamaged": .boolean(log.isDamaged),
      "endsInsideFrame": .boolean(log.endsInsideFrame),
    ]
  }

  private func json(of entry: Entry) -> JSONValue {
    let parent = facts.entities.first { $0.number == entry.entity.superNumber }
    return [
      "name": .text(entry.name),
      "number": .integer(entry.entity.number),
      "superentity": parent.map { .text($0.name) } ?? .null,
      "abstract": .boolean(entry.isAbstract),
      "rows": entry.entity.count.map { .integer($0.number) } ?? .null,
      "exact": .boolean(entry.entity.count?.isExact ?? true),
    ]
  }

  private var historyJSON: JSONValue {
    guard let history = facts.history else { return .null }
    let authors = history.authors.map { authors in
      JSONValue.array(
        authors.map { author in
          [
            "name": author.name.map { .text($0) } ?? .null,
            "transactions": .integer(author.transactions),
          ]
        }
      )
    }
    return [
      "transactions": .integer(history.transactions.number),
      "changes": .integer(history.changes.number),
      "exact": .boolean(history.transactions.isExact && history.changes.isExact),
      "first": history.first.map { .text($0.iso8601) } ?? .null,
      "last": history.last.map { .text($0.iso8601) } ?? .null,
      "authors": authors ?? .null,
    ]
  }
}
