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

extension Node: Decodable {
  init(from decoder: any Decoder) throws {
    // Each level is an array and a place in it.
    guard decoder.codingPath.count / 2 < RichText.maximumDepth else {
      throw RichTextError(
        "this stands too deep, at most \(RichText.maximumDepth) levels are read",
        path: path(decoder.codingPath)
      )
    }
    let node = try decoder.container(keyedBy: Key.self)
    let known = ["type", "attrs", "content", "marks", "text"]
    try node.allow(decoder.codingPath.isEmpty ? known + ["version"] : known)
    type = try node.decode(String.self, forKey: "type")
    attributes = try node.decodeIfPresent([String: Attribute].self, forKey: "attrs") ?? [:]
    content = try node.decodeIfPresent([Node].self, forKey: "content") ?? []
    marks = try node.decodeIfPresent([MarkNode].self, forKey: "marks") ?? []
    text = try node.decodeIfPresent(String.self, forKey: "text")
    version = try node.decodeIfPresent(Int.self, forKey: "version")
  }
}

extension MarkNode: Decodable {
  init(from decoder: any Decoder) throws {
    let mark = try decoder.container(keyedBy: Key.self)
    try mark.allow(["type", "attrs"])
    type = try mark.decode(String.self, forKey: "type")
    attributes = try mark.decodeIfPresent([String: Attribute].self, forKey: "attrs") ?? [:]
  }
}

extension Attribute: Decodable {
  /// Which kind it is shows by what it can be read as; the errors on the way say nothing.
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else {
      throw RichTextError(
        "this is neither a text nor a whole number, true, false or null",
        path: path(decoder.codingPath)
      )
    }
  }
}

extension KeyedDecodingContainer where K == Key {
  fileprivate func allow(_ known: [String]) throws {
    guard let unknown = allKeys.map(\.stringValue).filter({ !known.contains($0) }).min() else {
      return
    }
    throw RichTextError("“\(unknown)” is not known here", path: path(codingPath))
  }
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
struct Key: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  let intValue: Int?

  init(stringLiteral word: String) {
    stringValue = word
    intValue = nil
  }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}

/// The way to a place, as a JavaScript program would write it: `content[3].marks[1].attrs.href`.
func path(_ keys: [any CodingKey]) -> String {
  keys.reduce(into: "") { path, key in
    if let index = key.intValue {
      path += "[\(index)]"
    } else {
      path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
    }
  }
}
