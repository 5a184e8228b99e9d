package import CoreData
package import CoreDataModel
import Foundation

/// One value of an object, before it is spelled for a table, for CSV or for JSON.
package enum ShownCell {
  case nothing
  case text(String)
  /// The digits, exact.
  case number(String)
  case boolean(Bool)
  case date(Date)
  case data(Data)
  /// Data in a file beside the store.
  case file(ExternalFile)
  /// The content of a keyed archive, and its bytes.
  case archived(JSONValue, Data)
  case object(StoredKey, name: String?)
  case members(of: StoredKey, String)

  /// A value as dictionaries of fetches have it.
  package init(_ value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let date as Date: self = .date(date)
    case let data as Data: self = .data(data)
    case let uuid as UUID: self = .text(uuid.uuidString)
    case let url as URL: self = .text(url.absoluteString)
    case let number as NSDecimalNumber: self = .number(number.decimalValue.description)
    case let number as NSNumber: self = Self(number)
    case let other: self = .text("\(other)")
    }
  }

  /// A value of an attribute: its type tells a Boolean from a number, and how many digits a number has.
  package init(_ value: Any, of type: AttributeType?) {
    switch (type, value) {
    case (.boolean?, let number as NSNumber): self = .boolean(number.boolValue)
    case (.float?, let number as NSNumber): self = .number(number.floatValue.shortest)
    case _: self = Self(value)
    }
  }

  private init(_ number: NSNumber) {
    switch String(cString: number.objCType) {
    case "d", "f":
      self = .number(number.doubleValue.shortest)
    case _: self = .number(String(number.int64Value))
    }
  }
}

extension StoredKey {
  /// `Note/p3`, the end of the object's URI.
  package var text: String { entity + "/p" + String(primaryKey) }
}

/// A file beside the store that a value names.
package struct ExternalFile {
  package let coordinator: NSPersistentStoreCoordinator
  package let name: String

  /// `nil` if the file does not exist.
  package var size: Int? { coordinator.sizeOfExternalData(named: name) }

  package var contents: Data? { coordinator.externalData(named: name) }
}

// MARK: - Spelling

extension ShownCell {
  /// For spreadsheets: the value alone.
  package var inCSV: String {
    switch self {
    case .nothing, .members: ""
    case .text(let text): text
    case .number(let digits): digits
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.iso8601
    case .data(let data), .archived(_, let data): data.base64EncodedString()
    case .file(let file): file.contents?.base64EncodedString() ?? ""
    case .object(let key, _): key.text
    }
  }

  /// For programs; the lists of to-many relationships are written one by one elsewhere.
  package var inJSON: JSONValue {
    switch self {
    case .nothing, .members: .null
    case .text(let text): .text(text)
    case .number(let digits):
      // Infinity is not a number in JSON.
      digits.utf8.contains(where: { (48...57).contains($0) }) ? .number(digits) : .text(digits)
    case .boolean(let flag): .boolean(flag)
    case .date(let date): .text(date.iso8601)
    case .data(let data): .text(data.base64EncodedString())
    case .file(let file): file.contents.map { .text($0.base64EncodedString()) } ?? .null
    case .archived(let value, _): value
    case .object(let key, let name):
      .object(
        [JSONValue.Member(name: "id", value: .text(key.text))]
          + (name.map { [JSONValue.Member(name: "name", value: .text($0))] } ?? [])
      )
    }
  }
}
