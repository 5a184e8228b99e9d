import CoreDataModel
import Foundation

/// The files of XML stores, as Apple's framework writes them.
///
/// ```
/// <database>
///     <databaseInfo> … UUID, last key, metadata … </databaseInfo>
///     <object type="NOTE" id="z102">
///         <attribute name="title" type="string">First</attribute>
///         <relationship name="folder" type="1/1" destination="FOLDER" idrefs="z104"></relationship>
///     </object>
/// </database>
/// ```
struct XMLFormat: StoreFormat {
  static let type = NSXMLStoreType
  /// An `id` means one object of the whole file.
  static let sharesKeys = true

  /// Entities are written in capitals and properties in small letters, so that two of the same letters would be one.
  func check(_ model: ModelLayout) throws {
    var names: [String: String] = [:]
    for entity in model.entities {
      if let other = names.updateValue(entity.name, forKey: entity.name.uppercased()) {
        throw UnkeepableModel(
          "an XML store cannot tell the entities \(entity.name) and \(other) apart"
        )
      }
      var keys: [String: String] = [:]
      for slot in entity.slots.prefix(entity.propertyCount) {
        if let other = keys.updateValue(slot.name, forKey: slot.name.lowercased()) {
          throw UnkeepableModel(
            "an XML store cannot tell \(entity.name).\(slot.name) and \(other) apart"
          )
        }
        if slot.kind == .composite {
          throw UnkeepableModel(
            "an XML store keeps no composite attributes such as \(entity.name).\(slot.name)"
          )
        }
      }
    }
  }

  func write(
    _ contents: StoreContents,
    in model: ModelLayout,
    to file: inout FileBytes
  ) throws {
    try XMLStoreWriter(model).write(contents, to: &file)
  }

  func document(from data: Data, in model: ModelLayout) throws -> StoreDocument {
    var reader = try XMLStoreReader(data, model)
    let lastKey = try reader.read()
    return StoreDocument(
      metadata: try metadata(from: data),
      lastKeys: [0: lastKey],
      objects: reader.objects
    )
  }

  func metadata(from data: Data) throws -> [String: Any] {
    let header = try XMLStoreHeader(data)
    var metadata: [String: Any] = [:]
    if let range = header.list {
      let list: PropertyListValue
      do {
        list = try PropertyListValue(propertyList: data.subdata(in: range))
      } catch {
        throw FormatProblem("its metadata cannot be read: \(error)")
      }
      guard let values = list.object as? [String: Any] else {
        throw FormatProblem("its metadata are no dictionary")
      }
      metadata = values
    }
    metadata[NSStoreTypeKey] = Self.type
    metadata[NSStoreUUIDKey] = header.identifier
    return metadata
  }

  func replacingMetadata(in data: Data, by metadata: [String: Any]) throws -> Data {
    let header = try XMLStoreHeader(data)
    var result = data.subdata(in: data.startIndex..<header.information.lowerBound)
    result += try XMLStoreWriter.information(metadata, lastKey: header.lastKey)
    result += data.subdata(in: header.information.upperBound..<data.endIndex)
    return result
  }
}

/// The part of an XML store that describes the whole.
struct XMLStoreHeader {
  let identifier: String
  let lastKey: Int64
  /// The place of `<databaseInfo>…</databaseInfo>`.
  let information: Range<Data.Index>
  /// The place of `<plist>…</plist>`; `nil` for old files, which do not contain one.
  let list: Range<Data.Index>?

  init(_ data: Data) throws {
    guard data.range(of: Data("<database>".utf8)) != nil,
      let start = data.range(of: Data("<databaseInfo>".utf8)),
      let end = data.range(of: Data("</databaseInfo>".utf8), in: start.upperBound..<data.endIndex)
    else { throw FormatProblem("it has no <databaseInfo>, with which an XML store begins") }
    information = start.lowerBound..<end.upperBound
    let inside = start.upperBound..<end.lowerBound
    guard let identifier = Self.text(of: "UUID", in: inside, of: data), !identifier.isEmpty else {
      throw FormatProblem("it has no <UUID>")
    }
    self.identifier = identifier
    lastKey = Self.text(of: "nextObjectID", in: inside, of: data).flatMap { Int64($0) } ?? 0
    if let open = data.range(of: Data("<plist".utf8), in: inside),
      let close = data.range(of: Data("</plist>".utf8), in: open.upperBound..<end.lowerBound)
    {
      list = open.lowerBound..<close.upperBound
    } else {
      list = nil
    }
  }

  private static func text(of name: String, in range: Range<Int>, of data: Data) -> String? {
    guard let open = data.range(of: Data("<\(name)>".utf8), in: range),
      let close = data.range(of: Data("</\(name)>".utf8), in: open.upperBound..<range.upperBound)
    else { return nil }
    return String(decoding: data[open.upperBound..<close.lowerBound], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
