import CoreDataStoreCare
import CoreDataStrictJSON
import Foundation

/// Values that a program has encoded as JSON, as SwiftData does with `Codable` values, alone or in an archive.
///
/// ```
/// [{"name":"salt"}]      a tree, as if the values had been in an archive
/// ```
enum EncodedValue {
  private typealias StrictValue = CoreDataStrictJSON.JSONValue

  /// Larger data are offered as downloads.
  private static let most = 1 << 20
  private static let limits = JSONLimits(depth: 32, values: 20_000)

  /// The tree in some bytes; `nil` for bytes that are not a list or an object of JSON.
  static func json(of data: Data) -> CoreDataStoreCare.JSONValue? {
    guard data.count <= most, let first = data.first, first == 0x5B || first == 0x7B else {
      return nil
    }
    // Other bytes may begin like JSON; they are shown as bytes.
    return (try? StrictValue(parsing: data, within: limits)).map(value)
  }

  /// An archive of nothing but bytes, as the tree that is in them; other archives as they are.
  static func expanding(_ archived: CoreDataStoreCare.JSONValue) -> CoreDataStoreCare.JSONValue {
    guard case .text(let text) = archived, text.utf8.count <= 2 * most,
      let data = Data(base64Encoded: text)
    else { return archived }
    return json(of: data) ?? archived
  }

  private static func value(_ value: StrictValue) -> CoreDataStoreCare.JSONValue {
    switch value {
    case .null: .null
    case .bool(let flag): .boolean(flag)
    case .integer(let number): .number(String(number))
    case .number(let number): .real(number)
    case .text(let text): .text(text)
    case .list(let values): .array(values.map(self.value))
    case .object(let members):
      .object(members.map { .init(name: $0.name, value: self.value($0.value)) })
    }
  }
}
