import CoreDataModel
import Foundation

/// Writes the text of an XML store.
struct XMLStoreWriter {
  private let model: ModelLayout
  private var text = Data()

  init(_ model: ModelLayout) {
    self.model = model
  }

  func data(of document: StoreDocument) throws -> Data {
    var writer = self
    writer.line(#"<?xml version="1.0" standalone="no"?>"#)
    writer.line(#"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#)
    writer.line("")
    writer.line("<database>")
    writer.text += Data("    ".utf8)
    writer.text += try Self.information(
      document.metadata,
      lastKey: document.lastKeys[0] ?? 101
    )
    writer.line("")
    for object in document.objects { writer.add(object) }
    writer.line("</database>")
    return writer.text
  }

  /// The element that tells of the whole file.
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
      throw FormatProblem("its metadata would have values that no property list can have")
    }
    let whole = try PropertyListSerialization.data(
      fromPropertyList: values,
      format: .xml,
      options: 0
    )
    guard let start = whole.range(of: Data("<plist".utf8))?.lowerBound,
      let end = whole.range(of: Data("</plist>".utf8), options: .backwards)?.upperBound
    else { throw FormatProblem("its metadata cannot be written") }
    return whole.subdata(in: start..<end)
  }
}

// MARK: - Objects

extension XMLStoreWriter {
  private mutating func add(_ object: LooseObject) {
    let layout = object.layout
    line(#"    <object type="\#(layout.name.uppercased())" id="z\#(object.number)">"#)
    for slot in 0..<layout.propertyCount {
      guard let attribute = layout.slots[slot].attribute,
        let value = XMLValueText.text(of: object.values[slot], as: attribute.type)
      else { continue }
      let type = XMLValueText.word(for: attribute.type)
      line(
        #"        <attribute name="\#(attribute.name.lowercased())" type="\#(type)">\#(value)</attribute>"#
      )
    }
    let links = Dictionary(uniqueKeysWithValues: object.links.map { ($0.slot, $0.members) })
    for slot in 0..<layout.propertyCount where layout.slots[slot].isPersistent {
      guard let relationship = layout.slots[slot].relationship else { continue }
      add(relationship, links[slot] ?? [])
    }
    line("    </object>")
  }

  private mutating func add(_ relationship: RelationshipSchema, _ members: [Int64]) {
    let counts =
      relationship.isToMany ? "\(relationship.minCount)/\(relationship.maxCount)" : "1/1"
    let references =
      members.isEmpty
      ? "" : #" idrefs="\#(members.map { "z\($0)" }.joined(separator: " "))""#
    line(
      #"        <relationship name="\#(relationship.name.lowercased())" type="\#(counts)" "#
        + #"destination="\#(relationship.destinationName.uppercased())"\#(references)></relationship>"#
    )
  }

  private mutating func line(_ line: String) {
    text += Data(line.utf8)
    text.append(UInt8(ascii: "\n"))
  }
}
