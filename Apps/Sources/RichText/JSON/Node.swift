import CoreDataStrictJSON
import Foundation

/// A node of the editor's JSON, before anyone asked whether it makes sense.
///
/// ```
/// {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Faults"}]}
/// ```
struct Node {
  var type: String
  var attributes: [String: Attribute] = [:]
  var content: [Node] = []
  var marks: [MarkNode] = []
  var text: String?

  /// The document's own, on the outermost node alone.
  var version: Int?
}

struct MarkNode {
  var type: String
  var attributes: [String: Attribute] = [:]
}

enum Attribute: Hashable {
  case null
  case boolean(Bool)
  case number(Int)
  case text(String)
}

// MARK: - Reading

extension Node {
  /// The node that a piece of JSON is; each level adds its own place to an error on its way out.
  init(_ value: JSONValue, depth: Int = 0) throws(RichTextError) {
    guard depth < RichText.maximumDepth else {
      throw RichTextError(
        "this stands too deep, at most \(RichText.maximumDepth) levels are read"
      )
    }
    let known = ["type", "attrs", "content", "marks", "text"]
    let members = try Members(value, known: depth == 0 ? known + ["version"] : known)
    type = try members.type()
    attributes = try members.attributes()
    content = try members.list("content") { child throws(RichTextError) in
      try Node(child, depth: depth + 1)
    }
    marks = try members.list("marks") { mark throws(RichTextError) in try MarkNode(mark) }
    text = try members.text("text")
    version = try members.number("version")
  }
}

extension MarkNode {
  init(_ value: JSONValue) throws(RichTextError) {
    let members = try Members(value, known: ["type", "attrs"])
    type = try members.type()
    attributes = try members.attributes()
  }
}

extension Attribute {
  init(_ value: JSONValue) throws(RichTextError) {
    switch value {
    case .null: self = .null
    case .bool(let boolean): self = .boolean(boolean)
    case .integer(let number): self = .number(Int(number))
    case .number(let number):
      guard let whole = Int(exactly: number), JSONLimits.numbers.contains(Int64(whole)) else {
        throw Self.unknown
      }
      self = .number(whole)
    case .text(let text): self = .text(text)
    case .list, .object: throw Self.unknown
    }
  }

  private static let unknown = RichTextError(
    "this is neither a text nor a whole number, true, false or null"
  )
}

/// The members of an object, each asked for once; one that is null is not there.
private struct Members {
  private let members: JSONMembers

  init(_ value: JSONValue, known: [String]) throws(RichTextError) {
    guard case .object(let members) = value else { throw .wrongKind }
    if let unknown = members.names.filter({ !known.contains($0) }).min() {
      throw RichTextError("“\(unknown)” is not known here")
    }
    self.members = members
  }

  func type() throws(RichTextError) -> String {
    guard let value = members["type"] else { throw RichTextError("“type” is missing") }
    guard case .text(let type) = value else { throw .wrongKind.inside("type") }
    return type
  }

  func text(_ name: String) throws(RichTextError) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .text(let text): return text
    case .bool, .integer, .number, .list, .object: throw .wrongKind.inside(name)
    }
  }

  func number(_ name: String) throws(RichTextError) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .integer(let number): return Int(number)
    case .bool, .number, .text, .list, .object: throw .wrongKind.inside(name)
    }
  }

  func attributes() throws(RichTextError) -> [String: Attribute] {
    switch members["attrs"] {
    case nil, .null: return [:]
    case .object(let members):
      var attributes: [String: Attribute] = [:]
      for (name, value) in members {
        do {
          attributes[name] = try Attribute(value)
        } catch {
          throw error.inside("attrs.\(name)")
        }
      }
      return attributes
    case .bool, .integer, .number, .text, .list: throw .wrongKind.inside("attrs")
    }
  }

  func list<Element>(
    _ name: String,
    _ read: (JSONValue) throws(RichTextError) -> Element
  ) throws(RichTextError) -> [Element] {
    switch members[name] {
    case nil, .null: return []
    case .list(let values):
      var elements: [Element] = []
      elements.reserveCapacity(values.count)
      for (index, value) in values.enumerated() {
        do {
          elements.append(try read(value))
        } catch {
          throw error.inside("\(name)[\(index)]")
        }
      }
      return elements
    case .bool, .integer, .number, .text, .object: throw .wrongKind.inside(name)
    }
  }
}

extension RichTextError {
  fileprivate static let wrongKind = RichTextError("this is of the wrong kind")
}

// MARK: - Writing

extension Node: Encodable {
  func encode(to encoder: any Encoder) throws {
    var node = encoder.container(keyedBy: Key.self)
    try node.encode(type, forKey: "type")
    if !attributes.isEmpty { try node.encode(attributes, forKey: "attrs") }
    if !content.isEmpty { try node.encode(content, forKey: "content") }
    if !marks.isEmpty { try node.encode(marks, forKey: "marks") }
    try node.encodeIfPresent(text, forKey: "text")
    try node.encodeIfPresent(version, forKey: "version")
  }
}

extension MarkNode: Encodable {
  func encode(to encoder: any Encoder) throws {
    var mark = encoder.container(keyedBy: Key.self)
    try mark.encode(type, forKey: "type")
    if !attributes.isEmpty { try mark.encode(attributes, forKey: "attrs") }
  }
}

extension Attribute: Encodable {
  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let boolean): try value.encode(boolean)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    }
  }
}

// MARK: - Names

/// A key of JSON that can be any word.
private struct Key: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String

  var intValue: Int? { nil }

  init(stringLiteral word: String) { stringValue = word }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}
