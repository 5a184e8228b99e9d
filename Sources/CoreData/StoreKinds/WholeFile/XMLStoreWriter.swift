import CoreDataModel
import Foundation

/// Writes the text of an XML store, one object after the other.
///
/// The common parts of all objects of an entity are made into bytes once.
struct XMLStoreWriter {
  private var patterns: [Int32: EntityPattern] = [:]

  init(_ model: ModelLayout) {
    for entity in model.entities { patterns[entity.number] = EntityPattern(entity) }
  }

  func write(_ contents: StoreContents, to file: inout FileBytes) throws {
    let head = """
      <?xml version="1.0" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>

      """
    try file.append(head.utf8)
    try file.append("    ".utf8)
    try file.append(Self.information(contents.metadata, lastKey: contents.lastKeys[0] ?? 101))
    try file.append("\n".utf8)
    try contents.forEachObject { object in
      guard let pattern = patterns[object.layout.number] else { return }
      try file.append { pattern.append(object, to: &$0) }
    }
    try file.append("</database>\n".utf8)
  }

  /// The element that describes the whole file.
  static func information(_ metadata: [String: Any], lastKey: Int64) throws -> Data {
    var values = metadata
    let identifier = values.removeValue(forKey: NSStoreUUIDKey) as? String ?? ""
    values[NSStoreTypeKey] = nil
    let head = """
      <databaseInfo>
              <version>134481920</version>
              <UUID>\(identifier)</UUID>
              <nextObjectID>\(lastKey)</nextObjectID>
              <metadata>

      """
    return Data(head.utf8) + (try list(of: values))
      + Data("\n        </metadata>\n    </databaseInfo>".utf8)
  }

  /// `<plist>…</plist>`, without the lines that a file of its own begins with.
  private static func list(of values: [String: Any]) throws -> Data {
    guard PropertyListSerialization.propertyList(values, isValidFor: .xml) else {
      throw UnwritableContent(metadata: values) {
        PropertyListSerialization.propertyList($0, isValidFor: .xml)
      }
    }
    let whole = try PropertyListSerialization.data(
      fromPropertyList: values,
      format: .xml,
      options: 0
    )
    guard let start = whole.range(of: Data("<plist".utf8))?.lowerBound,
      let end = whole.range(of: Data("</plist>".utf8), options: .backwards)?.upperBound
    else { throw UnwritableContent("its metadata cannot be made into a property list") }
    return whole.subdata(in: start..<end)
  }
}

// MARK: - Objects

/// How the objects of one entity are written: all that is the same for each of them.
private struct EntityPattern {
  private let opening: [UInt8]
  private var attributes: [(slot: Int, type: AttributeType, opening: [UInt8])] = []
  private var relationships: [(slot: Int, opening: [UInt8])] = []

  private static let endOfOpening = [UInt8]("\">\n".utf8)
  private static let endOfAttribute = [UInt8]("</attribute>\n".utf8)
  private static let references = [UInt8](" idrefs=\"".utf8)
  private static let endOfRelationship = [UInt8]("></relationship>\n".utf8)
  private static let closing = [UInt8]("    </object>\n".utf8)

  init(_ layout: EntityLayout) {
    opening = Array(#"    <object type="\#(layout.name.uppercased())" id="z"#.utf8)
    for slot in 0..<layout.propertyCount {
      if let attribute = layout.slots[slot].attribute {
        let type = XMLValueText.word(for: attribute.type)
        let text = #"        <attribute name="\#(attribute.name.lowercased())" type="\#(type)">"#
        attributes.append((slot, attribute.type, Array(text.utf8)))
      } else if let relationship = layout.slots[slot].relationship, layout.slots[slot].isPersistent
      {
        let counts =
          relationship.isToMany ? "\(relationship.minCount)/\(relationship.maxCount)" : "1/1"
        let text =
          #"        <relationship name="\#(relationship.name.lowercased())" type="\#(counts)" "#
          + #"destination="\#(relationship.destinationName.uppercased())""#
        relationships.append((slot, Array(text.utf8)))
      }
    }
  }

  func append(_ object: LooseObject, to bytes: inout [UInt8]) {
    bytes += opening
    bytes.append(digitsOf: object.number)
    bytes += Self.endOfOpening
    for (slot, type, opening) in attributes where !object.values[slot].isNull {
      let start = bytes.count
      bytes += opening
      if XMLValueText.append(object.values[slot], as: type, to: &bytes) {
        bytes += Self.endOfAttribute
      } else {
        bytes.removeLast(bytes.count - start)
      }
    }
    for (slot, opening) in relationships {
      bytes += opening
      if let link = object.links.first(where: { $0.slot == slot }), !link.members.isEmpty {
        bytes += Self.references
        for (place, member) in link.members.enumerated() {
          if place > 0 { bytes.append(UInt8(ascii: " ")) }
          bytes.append(UInt8(ascii: "z"))
          bytes.append(digitsOf: member)
        }
        bytes.append(UInt8(ascii: "\""))
      }
      bytes += Self.endOfRelationship
    }
    bytes += Self.closing
  }
}
