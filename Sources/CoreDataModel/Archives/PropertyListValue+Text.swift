package import Foundation

/// Reads a property list in either of its forms, without Foundation, whose readers stop the program at
/// some damaged lists.
///
///     bplist00…                                     the binary one
///     <plist version="1.0"><dict>…</dict></plist>   the XML one
extension PropertyListValue {
  package init(propertyList data: Data) throws(ArchiveError) {
    if data.starts(with: Data("bplist".utf8)) {
      try self.init(binary: data)
    } else {
      try self.init(xml: data)
    }
  }

  package init(xml data: Data) throws(ArchiveError) {
    let root: XMLElementTree
    do {
      root = try XMLElementTree.root(of: data)
    } catch {
      throw ArchiveError("line \(error.line): the property list is no XML: \(error.message)")
    }
    guard root.name == "plist", root.children.count == 1 else {
      throw ArchiveError("the property list begins with <\(root.name)>, or does not hold one value")
    }
    try self.init(root.children[0])
  }

  private init(_ element: XMLElementTree) throws(ArchiveError) {
    switch element.name {
    case "dict": self = .dictionary(try Self.dictionary(element))
    case "array":
      var values: [PropertyListValue] = []
      for child in element.children { values.append(try PropertyListValue(child)) }
      self = .array(values)
    case "string": self = .text(element.text)
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "integer", "real", "date", "data":
      guard let value = Self.value(of: element) else {
        throw ArchiveError("line \(element.line): <\(element.name)> holds none")
      }
      self = value
    case let other:
      throw ArchiveError("line \(element.line): <\(other)> is no value of a property list")
    }
  }

  private static func value(of element: XMLElementTree) -> PropertyListValue? {
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch element.name {
    case "integer":
      return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
        ?? (text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16).map { .integer($0) } : nil)
    case "real": return Double(text).map { .real($0) }
    case "date":
      // A text that is not a date does not have a value, nor does one that is not a number.
      let date = try? Date(text, strategy: .iso8601)
      return date.map { .date($0.timeIntervalSinceReferenceDate) }
    case "data":
      return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
    case _: return nil
    }
  }

  private static func dictionary(
    _ element: XMLElementTree
  ) throws(ArchiveError) -> [String: PropertyListValue] {
    var fields: [String: PropertyListValue] = [:]
    var key: String?
    for child in element.children {
      if let name = key {
        fields[name] = try PropertyListValue(child)
        key = nil
      } else if child.name == "key" {
        key = child.text
      } else {
        throw ArchiveError("line \(child.line): <\(child.name)> in a dictionary has no key")
      }
    }
    if let key { throw ArchiveError("line \(element.line): the key \"\(key)\" has no value") }
    return fields
  }
}
