import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - Another try for refused cells

extension Sidecar {
  /// Makes objects be tried again that were held back as a whole, if something that they may need has changed.
  ///
  /// That can be their own cells, an object that they lead to or that leads to them, and objects that are tried again
  /// because of that. A unique value may have become free with any change.
  func retryObjects(
    after changes: some Sequence<(key: CellKey, value: Cell)>,
    _ schema: SyncSchema
  ) throws {
    let held = try heldBack().objects
    if held.isEmpty { return }
    var changed: Set<SyncID> = []
    var ends: Set<SyncID> = []
    for (key, cell) in changes {
      changed.insert(key.object)
      if let end = key.field.target ?? CellValue.reference(in: cell.payload) { ends.insert(end) }
    }
    if changed.isEmpty { return }
    var waiting: [SyncID: Set<SyncID>] = [:]
    var retried: Set<SyncID> = []
    for id in held {
      let cells = try cells(of: id)
      let isUnique = cells.flatMap { schema[$0.entity] }?.constraints.isEmpty == false
      if isUnique || changed.contains(id) || ends.contains(id) {
        retried.insert(id)
      } else {
        waiting[id] = cells?.ends ?? []
      }
    }
    var news = changed.union(retried)
    while !news.isEmpty {
      let found = Set(waiting.filter { !$0.value.isDisjoint(with: news) }.keys)
      for id in found { waiting[id] = nil }
      retried.formUnion(found)
      news = found
    }
    try retryObjects(retried)
  }

  /// Has objects tried again that were held back as a whole.
  func retryObjects(_ ids: Set<SyncID>) throws {
    for id in ids.sorted() {
      try connection.run("DELETE FROM held WHERE object = \(.blob(id.bytes)) AND property = 0")
    }
    try markDirty(ids)
  }
}

extension ObjectCells {
  /// The objects that this one leads to.
  fileprivate var ends: Set<SyncID> {
    var ends = Set(liveMembers.map(\.target))
    for cell in values.values {
      if let end = CellValue.reference(in: cell.payload) { ends.insert(end) }
    }
    return ends
  }
}
