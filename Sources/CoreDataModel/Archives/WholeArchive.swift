package import Foundation

/// A valid archive, looked through before anybody makes objects of it.
///
/// Foundation's unarchiver stops the program at some archives in which a byte is wrong. An archive out of a store's
/// file is looked at first:
///
///     $objects 1 { $class → 9, NS.objects [→ 2, → 3] }     every reference leads to an object,
///              9 { $classname "NSArray", $classes […] }    every object has a class,
///                                                          and what its class needs is there
///
/// A list that holds the same list again and again may come to more than anybody can go through: the elements of lists,
/// tables and sets are counted too. Objects of other classes are gone through by their own code, which knows that they
/// are one.
package struct WholeArchive: Sendable {
  private let objects: [PropertyListValue]
  package let root: Int

  /// Nil where something is missing, or more than anybody can go through.
  package init?(_ data: Data) {
    guard let list = try? PropertyListValue(binary: data),
      case .dictionary(let fields) = list,
      case .text("NSKeyedArchiver") = fields["$archiver"],
      case .integer(100_000) = fields["$version"],
      case .array(let objects) = fields["$objects"],
      case .dictionary(let top) = fields["$top"],
      case .uid(let root) = top["root"]
    else { return nil }
    var walk = ArchiveWalk(objects: objects, UnfoldingBudget(forBytes: data.count))
    guard walk.isWhole(root, depth: 0) else { return nil }
    self.objects = objects
    self.root = root
  }

  /// The object with a number that the archive itself refers to.
  package subscript(number: Int) -> PropertyListValue { objects[number] }

  /// The value of a field, with a reference followed; nil for none.
  package func followed(_ field: PropertyListValue?) -> PropertyListValue? {
    switch field {
    case .uid(let number): objects[number] == .text("$null") ? nil : objects[number]
    case let field: field
    }
  }

  /// The names of all classes in the archive.
  package var classNames: Set<String> {
    var names: Set<String> = []
    for case .dictionary(let fields) in objects {
      if case .text(let name) = fields["$classname"] { names.insert(name) }
    }
    return names
  }

  /// The names of the classes of the root and of the elements of collections in it, without those of the objects that
  /// others have in their properties.
  package var outermostClassNames: Set<String> {
    var names: Set<String> = []
    var visited: Set<Int> = []
    var waiting = [root]
    while let number = waiting.popLast() {
      guard visited.insert(number).inserted, let name = className(of: objects[number]),
        case .dictionary(let fields) = objects[number]
      else { continue }
      names.insert(name)
      guard ArchiveWalk.collections.contains(name) else { continue }
      for key in ["NS.keys", "NS.objects"] {
        guard case .array(let elements) = fields[key] else { continue }
        for case .uid(let element) in elements { waiting.append(element) }
      }
    }
    return names
  }

  /// The name of an object's class; nil for plain values.
  package func className(of object: PropertyListValue) -> String? {
    guard case .dictionary(let fields) = object,
      case .dictionary(let described) = followed(fields["$class"]),
      case .text(let name) = described["$classname"]
    else { return nil }
    return name
  }
}

/// A walk through the objects that an archive's root refers to, each visited once.
private struct ArchiveWalk {
  let objects: [PropertyListValue]
  /// The cost of going through each object that was visited.
  private var costs: [Int: Int] = [:]
  private var budget: UnfoldingBudget
  /// The objects on the way from the root: Foundation would follow a circle for ever.
  private var path: Set<Int> = []

  /// As deep as objects may be nested: Foundation's reader takes a part of the stack for each.
  private static let greatestDepth = 400

  init(objects: [PropertyListValue], _ budget: UnfoldingBudget) {
    self.objects = objects
    self.budget = budget
  }

  mutating func isWhole(_ number: Int, depth: Int) -> Bool {
    guard objects.indices.contains(number), depth < Self.greatestDepth,
      path.insert(number).inserted
    else { return false }
    defer { path.remove(number) }
    if let known = costs[number] { return budget.covers(known) }
    let before = budget.rest
    guard budget.covers(UnfoldingBudget.cost(of: objects[number])) else { return false }
    switch objects[number] {
    case .dictionary(let fields):
      guard let name = className(fields["$class"]), hasNeeds(of: name, fields),
        fields.allSatisfy({ $0.key == "$class" || isWhole($0.value, depth: depth + 1) })
      else { return false }
      costs[number] = Self.collections.contains(name) ? before - budget.rest : 1
    case .array, .null, .uid:
      return false
    case .boolean, .integer, .unsigned, .real, .date, .data, .text:
      costs[number] = before - budget.rest
    }
    return true
  }

  fileprivate static let collections: Set<String> = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    "NSDictionary", "NSMutableDictionary",
  ]

  private mutating func isWhole(_ field: PropertyListValue, depth: Int) -> Bool {
    switch field {
    case .uid(let number): isWhole(number, depth: depth)
    case .array(let elements): elements.allSatisfy { isWhole($0, depth: depth) }
    case .dictionary(let fields): fields.values.allSatisfy { isWhole($0, depth: depth) }
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .text: true
    }
  }

  private func className(_ reference: PropertyListValue?) -> String? {
    guard case .uid(let number) = reference, objects.indices.contains(number),
      case .dictionary(let fields) = objects[number], case .text(let name) = fields["$classname"],
      case .array(let names) = fields["$classes"], names.first == .text(name)
    else { return nil }
    let areTexts = names.allSatisfy { if case .text = $0 { true } else { false } }
    return areTexts ? name : nil
  }
}

// MARK: - What the classes of property lists need

extension ArchiveWalk {
  private func hasNeeds(of name: String, _ fields: [String: PropertyListValue]) -> Bool {
    switch name {
    case "NSArray", "NSMutableArray":
      return references(fields["NS.objects"]) != nil
    case "NSSet", "NSMutableSet":
      return references(fields["NS.objects"]) != nil && areHashable(fields["NS.objects"])
    case "NSDictionary", "NSMutableDictionary":
      guard let keys = references(fields["NS.keys"]), areHashable(fields["NS.keys"]) else {
        return false
      }
      return keys == references(fields["NS.objects"])
    case "NSString", "NSMutableString":
      if case .text = fields["NS.string"] { return true }
      return isBytes(fields["NS.bytes"])
    case "NSData", "NSMutableData":
      return isBytes(fields["NS.data"]) || isBytes(fields["NS.bytes"])
    case "NSDate":
      return isNumber(fields["NS.time"])
    case "NSUUID":
      if case .data(let bytes) = fields["NS.uuidbytes"] { return bytes.count == 16 }
      return false
    case "NSURL":
      return isNull(fields["NS.base"], or: "NSURL") && isURL(fields["NS.relative"])
    case _:
      return true
    }
  }

  /// The number of references in a list; `nil` if it is not a list, or has a hole.
  private func references(_ field: PropertyListValue?) -> Int? {
    guard case .array(let elements) = field else { return nil }
    return elements.allSatisfy { isObject($0) } ? elements.count : nil
  }

  /// Ends of the names of classes whose objects cannot be hashed, or whose hash Foundation computes for ever.
  private static let withoutHash = [
    "Array", "Dictionary", "OrderedSet", "NSDecimalNumber", "NSDecimalNumberPlaceholder",
  ]

  /// Whether Swift can have all of a list as keys: Foundation stops the program at a list or a table that
  /// is one, at a decimal number, and at a number that is not equal to itself.
  private func areHashable(_ field: PropertyListValue?) -> Bool {
    guard case .array(let elements) = field else { return false }
    return elements.allSatisfy { element in
      guard case .uid(let number) = element, objects.indices.contains(number) else { return false }
      switch objects[number] {
      case .real(let value): return !value.isNaN
      case .dictionary(let fields):
        guard let name = className(fields["$class"]) else { return false }
        if case .real(let time) = fields["NS.time"], time.isNaN { return false }
        return !Self.withoutHash.contains { name.hasSuffix($0) }
      case .null, .boolean, .integer, .unsigned, .date, .data, .text, .uid, .array: return true
      }
    }
  }

  private func isObject(_ field: PropertyListValue) -> Bool {
    guard case .uid(let number) = field, objects.indices.contains(number) else { return false }
    return objects[number] != .text("$null")
  }

  private func isBytes(_ field: PropertyListValue?) -> Bool {
    if case .data = field { true } else { false }
  }

  private func isNumber(_ field: PropertyListValue?) -> Bool {
    switch field {
    case .real, .integer: true
    case .null, .boolean, .unsigned, .date, .data, .text, .uid, .array, .dictionary, nil: false
    }
  }

  private func isNull(_ field: PropertyListValue?, or name: String) -> Bool {
    guard case .uid(let number) = field, objects.indices.contains(number) else { return false }
    if objects[number] == .text("$null") { return true }
    guard case .dictionary(let fields) = objects[number] else { return false }
    return className(fields["$class"]) == name
  }

  /// A text, or a reference to one, that Swift can have as a URL: Foundation stops the program at others.
  private func isURL(_ field: PropertyListValue?) -> Bool {
    text(field).flatMap { URL(string: $0) } != nil
  }

  private func text(_ field: PropertyListValue?) -> String? {
    switch field {
    case .text(let text): return text
    case .uid(let number) where objects.indices.contains(number):
      if case .text(let text) = objects[number] { return text }
      guard case .dictionary(let fields) = objects[number],
        ["NSString", "NSMutableString"].contains(className(fields["$class"]))
      else { return nil }
      if case .text(let text) = fields["NS.string"] { return text }
      if case .data(let bytes) = fields["NS.bytes"] { return String(data: bytes, encoding: .utf8) }
      return nil
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .uid, .array, .dictionary, nil:
      return nil
    }
  }
}
