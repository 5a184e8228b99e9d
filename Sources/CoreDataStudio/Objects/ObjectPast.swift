import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// An object as it was after one of its changes, as far as a history lets anybody know.
///
/// ```
/// title     was "Shopping": no later change of the object has touched it
/// stars     unknown: changed on 2024-05-10, and a history lacks former values
/// ```
///
/// A history has the names of changed properties, and values only of deleted objects, for attributes that the model
/// preserves.
struct ObjectPast {
  let store: OpenStore
  let key: StoredKey

  /// The later changes that are looked at.
  private static let most = 10_000

  /// The object after a change.
  ///
  /// - Parameter number: The number of the change.
  /// - Returns: The known values, and the reason why others are not known.
  /// - Throws: A `Problem` with status 404 if the history does not have this change of the object.
  func json(after number: Int) throws -> JSONValue {
    let changes = try ObjectHistory(store: store).all(of: key, from: number, atMost: Self.most)
    guard let change = changes.last, Int(change.changeID) == number else {
      throw Problem(404, "The history has no change \(number) of \(key.text).")
    }
    let later = LaterChanges(changes.dropLast())
    let exact = change.changedObjectID.entity.name ?? key.entity
    let entity = try store.layout(exact)
    let choice = ColumnChoice(entity, store.schema, isDetailed: false)
    let columns = change.changeType == .delete ? [] : choice.all
    let values = try ValuesNow(store, entity, key, columns, later.tombstone)
    return .object([
      .init(name: "id", value: .text(StoredKey(entity: exact, primaryKey: key.primaryKey).text)),
      .init(name: "change", value: ObjectHistory.json(change)),
      .init(name: "isDeleted", value: .boolean(values.isDeleted)),
      .init(name: "later", value: .integer(later.count)),
      .init(
        name: "values",
        value: .array(columns.map { line($0, values, later) })
      ),
    ])
  }

  private func line(
    _ column: ShownColumn,
    _ values: ValuesNow,
    _ later: LaterChanges
  ) -> JSONValue {
    let name = String(column.title.prefix { $0 != "." })
    var members: [JSONValue.Member] = [.init(name: "column", value: column.json)]
    if case .number = column.kind {
      members.append(.init(name: "reason", value: "members"))
    } else if let date = later.date(ofChangeTo: name) {
      members.append(.init(name: "reason", value: "changed"))
      members.append(.init(name: "date", value: .text(date.iso8601)))
    } else if let cell = values.cell(column) {
      members.append(.init(name: "cell", value: CellText(cell, isWhole: true).json))
    } else {
      members.append(.init(name: "reason", value: "deleted"))
    }
    return .object(members)
  }
}

/// The changes of an object after the one that somebody looks at.
private struct LaterChanges {
  let count: Int
  /// The values that were kept when the object was deleted.
  let tombstone: [AnyHashable: Any]
  private var dates: [String: Date] = [:]
  /// The time of a change whose properties are unknown.
  private var unknown: Date?

  /// - Parameter changes: The changes, the newest first.
  init(_ changes: ArraySlice<NSPersistentHistoryChange>) {
    count = changes.count
    tombstone = changes.first?.tombstone ?? [:]
    for change in changes where change.changeType == .update {
      let date = change.transaction?.timestamp ?? .distantPast
      guard let properties = change.updatedProperties else {
        unknown = date
        continue
      }
      for property in properties { dates[property.name] = date }
    }
  }

  /// The time of the first later change that may have given a property another value.
  func date(ofChangeTo property: String) -> Date? {
    [dates[property], unknown].compactMap(\.self).min()
  }
}

/// The values of an object now, or the ones that were kept when it was deleted.
private struct ValuesNow {
  let isDeleted: Bool
  private var cells: [String: ShownCell] = [:]

  init(
    _ store: OpenStore,
    _ entity: EntityLayout,
    _ key: StoredKey,
    _ columns: [ShownColumn],
    _ tombstone: [AnyHashable: Any]
  ) throws {
    var isFound = false
    var cells: [String: ShownCell] = [:]
    try RowReader(store, entity, columns).forEachRow([key.primaryKey]) { _, row in
      isFound = true
      for (column, cell) in zip(columns, row) { cells[column.title] = cell }
    }
    isDeleted = !isFound
    if !isFound {
      for column in columns {
        guard case .attribute(let attribute) = column.kind, let value = tombstone[column.title]
        else { continue }
        cells[column.title] = ShownCell(value, of: attribute.type)
      }
    }
    self.cells = cells
  }

  func cell(_ column: ShownColumn) -> ShownCell? { cells[column.title] }
}
