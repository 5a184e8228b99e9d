import CoreDataModel
package import Foundation

/// The content of a transformable attribute, read without the program that made it.
///
/// Most are keyed archives of lists, tables and plain values, which can be shown; so can the values that other objects
/// have put into them. The bytes are shown if nothing else can be.
///
/// ```
/// ["swift","linux"]     {"class":"Cover","values":{"title":"one"}}     {"class":"Cover","data":"YnBs…"}
/// ```
package struct ArchivedValue {
  /// The objects on the way from the root: they may hold each other.
  private var path: Set<Int> = []
  /// How many more are shown: an archive may name the same objects again and again.
  private var budget = 20_000

  /// Nobody reads more than this many levels.
  private static let limit = 12

  /// `nil` for bytes that are not a keyed archive.
  package static func json(of data: Data) -> JSONValue? {
    guard data.starts(with: Data("bplist".utf8)) else { return nil }
    // The problem of other bytes does not matter: they are shown as bytes.
    guard let archive = try? KeyedArchive(data), !archive.root.isNull else { return nil }
    var value = ArchivedValue()
    let json = value.json(of: archive.root)
    guard case .object(let members) = json, members.count == 1, members[0].name == "class" else {
      return json
    }
    return .object(members + [.init(name: "data", value: .text(data.base64EncodedString()))])
  }

  private init() {}

  private mutating func json(of node: ArchivedNode) -> JSONValue {
    budget -= 1 + length(of: node.value) / 64
    guard budget > 0, path.count < Self.limit else { return "…" }
    if let number = node.number {
      guard path.insert(number).inserted else { return "…" }
    }
    defer { if let number = node.number { path.remove(number) } }
    switch node.value {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .number(String(number))
    case .unsigned(let number): return .number(String(number))
    case .real(let number): return .real(number)
    case .date(let seconds): return .text(Date(timeIntervalSinceReferenceDate: seconds).iso8601)
    case .data(let data): return .text(data.base64EncodedString())
    case .text(let text): return text == "$null" ? .null : .text(text)
    case .uid, .array: return list(node.elements)
    case .dictionary: return object(node)
    }
  }

  /// A long text that is named again and again is shown once, and then no more.
  private func length(of value: PropertyListValue) -> Int {
    switch value {
    case .text(let text): text.utf8.count
    case .data(let data): data.count
    case .null, .boolean, .integer, .unsigned, .real, .date, .uid, .array, .dictionary: 0
    }
  }

  private mutating func list(_ nodes: [ArchivedNode]) -> JSONValue {
    var values: [JSONValue] = []
    for node in nodes { values.append(json(of: node)) }
    return .array(values)
  }

  private mutating func object(_ entries: [(key: String, value: ArchivedNode)]) -> JSONValue {
    var members: [JSONValue.Member] = []
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      members.append(JSONValue.Member(name: key, value: json(of: value)))
    }
    return .object(members)
  }

  /// The elements of an ordered set, each of which has a name of its own.
  private func numberedElements(of set: ArchivedNode) -> [ArchivedNode] {
    let names = Set(set.fields)
    var elements: [ArchivedNode] = []
    while names.contains("NS.object.\(elements.count)") {
      elements.append(set["NS.object.\(elements.count)"])
    }
    return elements
  }

  /// A dictionary, whose keys are spelled as texts, whatever they are.
  private mutating func dictionary(_ node: ArchivedNode) -> JSONValue {
    var entries: [(key: String, value: ArchivedNode)] = []
    for (key, value) in zip(node["NS.keys"].elements, node["NS.objects"].elements) {
      let name = json(of: key)
      if case .text(let text) = name {
        entries.append((text, value))
      } else {
        entries.append((name.compact, value))
      }
    }
    return object(entries)
  }

  private mutating func object(_ node: ArchivedNode) -> JSONValue {
    switch node.className {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet": return list(node.elements)
    case "NSOrderedSet", "NSMutableOrderedSet": return list(numberedElements(of: node))
    case "NSDictionary", "NSMutableDictionary": return dictionary(node)
    case "NSNull": return .null
    case "NSString", "NSMutableString": return node.text.map { .text($0) } ?? .null
    case "NSData", "NSMutableData":
      return node.data.map { .text($0.base64EncodedString()) } ?? .null
    case "NSDate":
      return node["NS.time"].real.map {
        .text(Date(timeIntervalSinceReferenceDate: $0).iso8601)
      } ?? .null
    case "NSURL": return node["NS.relative"].text.map { .text($0) } ?? .null
    case "NSUUID":
      return node["NS.uuidbytes"].data.flatMap { UUID(bytes: $0) }.map { .text($0.uuidString) }
        ?? .null
    case "NSColor", "UIColor":
      return color(node) ?? anything(node)
    case _:
      return anything(node)
    }
  }

  /// An object of a class that is not known here, with all that its archive has.
  private mutating func anything(_ node: ArchivedNode) -> JSONValue {
    let described = JSONValue.Member(name: "class", value: .text(node.className ?? "unknown"))
    let values = node.fields.map { ($0, node[$0]) }
    if values.isEmpty { return .object([described]) }
    return .object([described, JSONValue.Member(name: "values", value: object(values))])
  }

  /// A colour by its components, the last of which is the opacity; `nil` for a pattern, or a colour of a catalog.
  ///
  /// The rest of its archive, mostly the profile of its colour space, takes some kilobytes and is left out.
  private func color(_ node: ArchivedNode) -> JSONValue? {
    let separate = ["UIRed", "UIGreen", "UIBlue", "UIWhite", "UIAlpha"].compactMap { node[$0].real }
    let texts = ["NSComponents", "NSRGB", "NSWhite", "NSCMYK"].lazy.compactMap { node[$0].data }
    let listed = texts.first.map { data in
      String(decoding: data.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
        .compactMap { Double($0) }
    }
    let components = listed ?? separate
    let spaces = [1: "gray", 2: "gray", 3: "rgb", 4: "rgb", 5: "cmyk"]
    guard let space = spaces[components.count], components.allSatisfy(\.isFinite) else {
      return nil
    }
    return .object([
      .init(name: "class", value: .text(node.className ?? "")),
      .init(name: "space", value: .text(space)),
      .init(name: "components", value: .array(components.map { .real($0) })),
    ])
  }
}

extension UUID {
  fileprivate init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let text = bytes.map { String(format: "%02X", $0) }.joined()
    let groups = [8, 4, 4, 4, 12].reduce(into: (rest: Substring(text), parts: [Substring]())) {
      $0.parts.append($0.rest.prefix($1))
      $0.rest = $0.rest.dropFirst($1)
    }
    self.init(uuidString: groups.parts.joined(separator: "-"))
  }
}
