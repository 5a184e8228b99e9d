import CoreData
import CoreDataStoreCare
import Foundation

extension ShownCell {
  /// For people.
  var inTable: String {
    switch self {
    case .nothing, .members: ""
    case .text(let text): text
    case .number(let digits): digits
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let date): date.iso8601(withFractions: false)
    case .data(let data): data.count.asBytes
    case .file(let file): file.size?.asBytes ?? "missing file \(file.name)"
    case .archived(let value, _): value.compact
    case .object(let key, let name): name.map { "\(key.text) \"\($0)\"" } ?? key.text
    }
  }

  /// For spreadsheets: the value alone.
  var inCSV: String {
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
  var inJSON: JSONValue {
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
