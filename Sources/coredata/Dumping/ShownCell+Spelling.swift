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
}
