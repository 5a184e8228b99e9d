import CoreDataModel
import CoreDataModelCompiler

/// The type of a composite attribute: a struct, an enumeration, or a raw value.
///
/// The version hash of a composite is that of its elements alone. A struct whose one element has the
/// name of the attribute therefore has the hash and the column of an enumeration with raw values.
struct SwiftDataComposite {
  let name: String
  private let attribute: AttributeSchema
  private let types: SwiftDataTypes

  init(_ attribute: AttributeSchema, named name: String, _ types: SwiftDataTypes) {
    self.attribute = attribute
    self.name = name
    self.types = types
  }

  /// The lines of the declaration.
  var lines: [String] {
    if isRawValue { return rawValue }
    return isEnumeration ? cases : structure
  }

  private var isMarked: Bool { attribute.userInfo["EnumType"] != nil }
  private var isRawValue: Bool {
    isMarked && attribute.elements.count == 1 && attribute.elements[0].name == attribute.name
      && attribute.userInfo["enum"] == nil
  }
  private var isEnumeration: Bool {
    isMarked && attribute.elements.allSatisfy { $0.type == .string }
  }

  private var rawValue: [String] {
    let type = types.spelling(of: attribute.elements[0])
    let element = SwiftName(attribute.name).spelling
    return [
      "/// The raw value of an enumeration; the model does not list its cases.",
      "///",
      "/// To have the enumeration, write `enum \(name): \(type), Codable` with its cases in place of this struct.",
      "/// The store and the version hash stay the same.",
      "struct \(name): Codable, Hashable {",
      "  var \(element): \(type)",
      "}",
    ]
  }

  private var cases: [String] {
    ["enum \(name): Codable, CaseIterable {"]
      + attribute.elements.map { "  case \(SwiftName($0.name).spelling)" } + ["}"]
  }

  private var structure: [String] {
    var members: [String] = []
    var inner: [SwiftDataComposite] = []
    var taken = Set(attribute.elements.map(\.name)).union([name])
    for element in attribute.elements {
      let spelling = SwiftName(element.name).spelling
      if element.type == .binaryData {
        members.append("  /// Bytes, or another value as JSON.")
      }
      guard element.type == .composite else {
        members.append("  var \(spelling): \(types.spelling(of: element))?")
        continue
      }
      let type = types.freeName(for: element.name, beside: &taken)
      members.append("  var \(spelling): \(type)?")
      inner.append(SwiftDataComposite(element, named: type, types))
    }
    let nested = inner.flatMap { composite in
      [""] + composite.lines.map { $0.isEmpty ? "" : "  \($0)" }
    }
    return ["struct \(name): Codable, Hashable {"] + members + nested + ["}"]
  }
}
