package import CoreData
package import CoreDataModel
import CoreDataPredicates
import Foundation

/// One column of a dump: the keys that are fetched for it, and the reading of the result.
///
/// ```
/// title     title                       Shopping
/// folder    folder, folder.name         Folder/p1 "Home"
/// tags      tags.@count                 3
/// ```
///
/// A class, so that to look at it for each cell copies nothing.
package final class ShownColumn {
  package let title: String
  /// The title as JSON has it.
  package let quotedTitle: String
  package let kind: Kind
  package let records: [RecordColumn]
  /// The type of an attribute.
  private let type: AttributeType?

  package init(title: String, kind: Kind, records: [RecordColumn]) {
    self.title = title
    quotedTitle = JSONValue.quoted(title)
    self.kind = kind
    self.records = records
    if case .attribute(let attribute) = kind { type = attribute.type } else { type = nil }
  }

  package enum Kind {
    case attribute(AttributeSchema)
    /// The object a relationship leads to, and the value that names it, if one does.
    case object
    /// How many, or another number that an operator makes.
    case number
    /// All of a to-many relationship's objects.
    case members(String)
  }

  /// Whether the values are aligned to the right.
  package var isNumeric: Bool {
    switch kind {
    case .attribute: type?.isNumeric ?? false
    case .number: true
    case .object, .members: false
    }
  }

  /// Whether values may be in files beside the store.
  package var mayNameFiles: Bool {
    guard case .attribute(let attribute) = kind else { return false }
    return attribute.allowsExternalBinaryDataStorage
  }
}

extension [ShownColumn] {
  /// Reads the objects of a plan, and gives each one's key and its values in these columns, in the plan's order.
  package func forEachRow(
    of plan: FetchPlan,
    _ entity: EntityLayout,
    in coordinator: NSPersistentStoreCoordinator,
    _ body: (StoredKey, [ShownCell]) throws -> Void
  ) throws {
    guard let key = RecordColumn([], from: entity) else { return }
    let records = [key] + flatMap(\.records)
    try RecordStream(records, of: plan, in: coordinator)?.read { record in
      guard case .identity(let number, let layout) = record.values[0] else { return }
      let key = StoredKey(entity: layout.name, primaryKey: number)
      var place = 1
      let cells = map { column in
        let next = place + column.records.count
        defer { place = next }
        return column.cell(record.values[place..<next], of: key, coordinator)
      }
      try body(key, cells)
    }
  }
}

extension AttributeType {
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    case .undefined, .string, .boolean, .date, .binaryData, .uuid, .uri, .transformable,
      .objectID, .composite:
      false
    }
  }
}

// MARK: - Cells

extension ShownColumn {
  package func cell(
    _ values: ArraySlice<RecordValue>,
    of owner: StoredKey,
    _ coordinator: NSPersistentStoreCoordinator
  ) -> ShownCell {
    if records.isEmpty, case .members(let relationship) = kind {
      return .members(of: owner, relationship)
    }
    switch values.first {
    case nil, .nothing: return .nothing
    case .integer(let value, _):
      return type == .boolean ? .boolean(value != 0) : .number(String(value))
    case .real(let value, let type):
      return .number(type == .float ? Float(value).shortest : value.shortest)
    case .text(let text): return .text(text)
    case .date(let date): return .date(date)
    case .value(let value): return cell(value.value)
    case .identity(let number, let layout):
      var name: String?
      if let second = values.dropFirst().first {
        switch second {
        case .text(let text): name = text
        case .value(let value): name = value.value as? String
        case .nothing, .integer, .real, .date, .identity, .externalFile: break
        }
      }
      return .object(StoredKey(entity: layout.name, primaryKey: number), name: name)
    case .externalFile(let name):
      return .file(ExternalFile(coordinator: coordinator, name: name))
    }
  }

  private func cell(_ value: Any) -> ShownCell {
    guard type == .transformable, let data = value as? Data else {
      return ShownCell(value, of: type)
    }
    return ArchivedValue.json(of: data).map { .archived($0, data) } ?? .data(data)
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The digits that tell it from its neighbours.
  package var shortest: String { Int(exactly: self).map(String.init) ?? description }
}
