package import Foundation
import Synchronization

/// The object graph of a keyed archive.
///
///     $top     root → 1
///     $objects 0 "$null"
///              1 { $class → 9, NSEntityName → 2, NSProperties → 3 }
///              2 "Note"
///
/// A walk through an archive meets an object as often as others refer to it. The objects handed out are
/// counted, long texts and data by their length. If the count exceeds what an archive can mean, no more are handed
/// out: every walk ends, and ``requireWhole()`` throws.
package final class KeyedArchive: Sendable {
  fileprivate let objects: [PropertyListValue]
  private let top: [String: PropertyListValue]
  /// How many objects may still be handed out.
  private let visits: Atomic<Int>
  /// How long the texts and data may be that are still handed out, in pieces of sixteen bytes.
  private let length: Atomic<Int>

  /// Every reader asks an object for each of its fields, some of them twice.
  private static let visitsForEach = 64
  private static let least = 100_000
  /// A list of objects may name one of them a million times, which is squeezed to nothing: so many are
  /// handed out of no archive, and take a second.
  private static let greatest = 4_000_000

  package init(_ data: Data) throws(ArchiveError) {
    guard case .dictionary(let fields) = try PropertyListValue(binary: data),
      case .array(let objects)? = fields["$objects"],
      case .dictionary(let top)? = fields["$top"]
    else { throw ArchiveError("the data is not a keyed archive") }
    self.objects = objects
    self.top = top
    visits = Atomic(max(Self.least, min(objects.count * Self.visitsForEach, Self.greatest)))
    length = Atomic(max(Self.least, data.count))
  }

  /// Throws if more was asked of the archive than it can mean: then not all of it was read.
  package func requireWhole() throws(ArchiveError) {
    guard !isExhausted else {
      throw ArchiveError("the objects of the archive refer to each other without end")
    }
  }

  /// Counts what a reader does with an object besides asking for it.
  func spend(_ count: Int) { visits.wrappingSubtract(count, ordering: .relaxed) }

  fileprivate var isExhausted: Bool {
    visits.load(ordering: .relaxed) <= 0 || length.load(ordering: .relaxed) <= 0
  }

  package var root: ArchivedNode { node(top["root"] ?? .null) }

  fileprivate func node(_ value: PropertyListValue) -> ArchivedNode {
    guard case .uid(let number) = value else {
      return ArchivedNode(archive: self, number: nil, value: value)
    }
    guard objects.indices.contains(number), objects[number] != .text("$null") else {
      return ArchivedNode(archive: self, number: nil, value: .null)
    }
    spend(1)
    length.wrappingSubtract(UnfoldingBudget.cost(of: objects[number]) - 1, ordering: .relaxed)
    guard !isExhausted else {
      return ArchivedNode(archive: self, number: nil, value: .null)
    }
    return ArchivedNode(archive: self, number: number, value: objects[number])
  }
}

/// One object of a keyed archive, with its references followed as they are asked for.
///
///     entity["NSSuperentity"]["NSEntityName"].text
///
/// An absent thing is a null node, so a path through absent things ends in `nil`.
package struct ArchivedNode {
  package let archive: KeyedArchive
  /// The object's number, by which it is the same object wherever it is met.
  package let number: Int?
  package let value: PropertyListValue

  fileprivate init(archive: KeyedArchive, number: Int?, value: PropertyListValue) {
    self.archive = archive
    self.number = number
    self.value = value
  }

  package subscript(key: String) -> ArchivedNode {
    archive.node(field(key) ?? .null)
  }

  private func field(_ key: String) -> PropertyListValue? {
    guard case .dictionary(let fields) = value else { return nil }
    return fields[key]
  }

  /// The object's fields, each reference replaced by its target.
  var plainFields: [String: PropertyListValue] {
    guard case .dictionary(let fields) = value else { return [:] }
    return fields.mapValues { archive.node($0).value }
  }

  package var isNull: Bool { value == .null }

  /// The names under which an object has put its values.
  package var fields: [String] {
    guard case .dictionary(let fields) = value else { return [] }
    return fields.keys.filter { !$0.hasPrefix("$") }.sorted()
  }

  /// The name of the object's class; nil for plain values.
  package var className: String? {
    guard let reference = field("$class"),
      case .dictionary(let fields) = archive.node(reference).value,
      case .text(let name)? = fields["$classname"]
    else { return nil }
    return name
  }
}

// MARK: - Plain values

extension ArchivedNode {
  package var text: String? {
    switch value {
    case .text(let text): text
    case .dictionary: plainText
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .uid, .array: nil
    }
  }

  /// The text in a string object.
  private var plainText: String? {
    if case .text(let text) = self["NS.string"].value { text } else { nil }
  }

  package var integer: Int? {
    switch value {
    case .integer(let number): Int(number)
    case .boolean(let flag): flag ? 1 : 0
    case .real(let number): Int(exactly: number)
    case .null, .unsigned, .date, .data, .text, .uid, .array, .dictionary: nil
    }
  }

  package var real: Double? {
    switch value {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .null, .date, .data, .text, .uid, .array, .dictionary: nil
    }
  }

  /// Whether a Boolean field is present and true.
  package var isTrue: Bool { integer.map { $0 != 0 } ?? false }

  package var data: Data? {
    switch value {
    case .data(let data): data
    case .dictionary: plainData
    case .null, .boolean, .integer, .unsigned, .real, .date, .text, .uid, .array: nil
    }
  }

  /// The bytes in a data object.
  private var plainData: Data? {
    if case .data(let data) = self["NS.data"].value { data } else { nil }
  }
}

// MARK: - Collections

extension ArchivedNode {
  /// The elements of an archived array or set, or of a bare list.
  package var elements: [ArchivedNode] {
    if archive.isExhausted { return [] }
    return switch value {
    case .array(let elements): elements.map(archive.node)
    case .dictionary: elements(of: "NS.objects")
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .text, .uid: []
    }
  }

  private func elements(of key: String) -> [ArchivedNode] {
    guard !archive.isExhausted, case .array(let elements)? = field(key) else { return [] }
    return elements.map(archive.node)
  }

  /// The keys and values of an archived dictionary, whichever of its two classes it has.
  package var entries: [(key: String, value: ArchivedNode)] {
    let mapping = self["searchMapping"]
    let keys = mapping.isNull ? elements(of: "NS.keys") : mapping["keys"].elements
    let values = mapping.isNull ? elements(of: "NS.objects") : self["values"].elements
    let empty = self["emptyToken"].text
    return zip(keys, values).compactMap { key, value in
      guard let name = key.text, empty == nil || value.text != empty else { return nil }
      return (name, value)
    }
  }
}

// MARK: - Copying

extension ArchivedNode {
  /// The object with each reference in it replaced, in a fixed order.
  func rewritten(by replace: (ArchivedNode) -> PropertyListValue) -> PropertyListValue {
    rewritten(value, by: replace)
  }

  private func rewritten(
    _ value: PropertyListValue,
    by replace: (ArchivedNode) -> PropertyListValue
  ) -> PropertyListValue {
    switch value {
    case .uid:
      return replace(archive.node(value))
    case .array(let elements):
      return .array(elements.map { rewritten($0, by: replace) })
    case .dictionary(let fields):
      var copy: [String: PropertyListValue] = [:]
      for (key, field) in fields.sortedByCodePoints(\.key) {
        copy[key] = rewritten(field, by: replace)
      }
      return .dictionary(copy)
    case .null, .boolean, .integer, .unsigned, .real, .date, .data, .text:
      return value
    }
  }

  /// An archive whose root is this object, with everything it refers to.
  ///
  /// Objects of classes that are not ours to know, such as a transformable attribute's default,
  /// are carried like this and put back as they were.
  var ownArchive: Data {
    var builder = ArchiveBuilder()
    let root = builder.graft(self)
    return builder.data(root: root)
  }
}
