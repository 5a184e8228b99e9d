import CoreDataModel
import Foundation

/// What a transformable attribute holds, read without the program that made it.
///
/// Most are keyed archives of lists, tables and plain values, which can be shown; of other objects their
/// class is.
///
/// ```
/// ["swift","linux"]     {"class":"UIColor"}
/// ```
enum ArchivedValue {
  /// Nil for bytes that are no keyed archive.
  static func json(of data: Data) -> JSONValue? {
    guard data.starts(with: Data("bplist".utf8)) else { return nil }
    // What is wrong with other bytes does not matter: they are shown as bytes.
    guard let archive = try? KeyedArchive(data), !archive.root.isNull else { return nil }
    return json(of: archive.root, depth: 0)
  }

  /// Objects may hold each other; nobody reads more than this many levels.
  private static let limit = 12

  private static func json(of node: ArchivedNode, depth: Int) -> JSONValue {
    guard depth < limit else { return "…" }
    switch node.value {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .number(String(number))
    case .unsigned(let number): return .number(String(number))
    case .real(let number): return .real(number)
    case .date(let seconds): return .text(Date(timeIntervalSinceReferenceDate: seconds).iso8601)
    case .data(let data): return .text(data.base64EncodedString())
    case .text(let text): return text == "$null" ? .null : .text(text)
    case .uid, .array: return .array(node.elements.map { json(of: $0, depth: depth + 1) })
    case .dictionary: return object(node, depth)
    }
  }

  private static func object(_ node: ArchivedNode, _ depth: Int) -> JSONValue {
    switch node.className {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet":
      return .array(node.elements.map { json(of: $0, depth: depth + 1) })
    case "NSDictionary", "NSMutableDictionary":
      let members = node.entries.sorted { $0.key < $1.key }.map { key, value in
        JSONValue.Member(name: key, value: json(of: value, depth: depth + 1))
      }
      return .object(members)
    case "NSString", "NSMutableString": return node.text.map { .text($0) } ?? .null
    case "NSData", "NSMutableData":
      return node.data.map { .text($0.base64EncodedString()) } ?? .null
    case "NSDate":
      return node["NS.time"].real.map {
        .text(Date(timeIntervalSinceReferenceDate: $0).iso8601)
      } ?? .null
    case "NSURL": return node["NS.relative"].text.map { .text($0) } ?? .null
    case let name:
      return .object([JSONValue.Member(name: "class", value: .text(name ?? "unknown"))])
    }
  }
}
