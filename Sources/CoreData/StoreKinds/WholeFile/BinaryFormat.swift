import CoreDataModel
import Foundation

/// The files of binary stores: a line that says what they are, and a binary property list.
///
/// ```
/// open core data binary store 1 ⏎
/// { metadata, lastKeys, objects: [ { entity, key, version, values, links } ] }
/// ```
///
/// The layout is this project's own: Apple does not document how its framework writes binary stores, and neither
/// framework can read the other's files.
struct BinaryFormat: StoreFormat {
  static let type = NSBinaryStoreType
  static let sharesKeys = false

  private static let head = Data("open core data binary store 1\n".utf8)

  enum Field {
    static let metadata = "metadata"
    static let lastKeys = "lastKeys"
    static let objects = "objects"
    static let entity = "entity"
    static let key = "key"
    static let version = "version"
    static let values = "values"
    static let links = "links"
  }

  func check(_ model: ModelLayout) throws {
    for entity in model.entities {
      for slot in entity.slots where slot.kind == .composite {
        throw UnkeepableModel(
          "a binary store keeps no composite attributes such as \(entity.name).\(slot.name)"
        )
      }
    }
  }
}

// MARK: - Writing

extension BinaryFormat {
  func write(
    _ contents: StoreContents,
    in model: ModelLayout,
    to file: inout FileBytes
  ) throws {
    let lastKeys = contents.lastKeys.reduce(into: [String: PropertyListValue]()) { keys, pair in
      if let root = model[number: pair.key] { keys[root.name] = .integer(pair.value) }
    }
    let metadata = try value(of: contents.metadata)
    try file.append(Self.head)
    var writer = BinaryStoreWriter()
    try file.append { writer.list.begin(to: &$0) }
    try contents.forEachObject { object in
      guard writer.list.objectCount < BinaryPropertyListStream.mostObjects else {
        throw UnwritableContent("it would have more values than a binary store can have")
      }
      try file.append { writer.add(object, to: &$0) }
    }
    try file.append { writer.end(metadata, .dictionary(lastKeys), to: &$0) }
  }

  private func value(of metadata: [String: Any]) throws -> PropertyListValue {
    guard let value = PropertyListValue(object: metadata) else {
      throw UnwritableContent(metadata: metadata) { PropertyListValue(object: $0) != nil }
    }
    return value
  }
}

// MARK: - Reading

extension BinaryFormat {
  func document(from data: Data, in model: ModelLayout) throws -> StoreDocument {
    let list = try list(from: data)
    guard let objects = list[Field.objects]?.list else {
      throw FormatProblem("it has no list of objects")
    }
    var lastKeys: [Int32: Int64] = [:]
    for (name, last) in list[Field.lastKeys]?.table ?? [:] {
      // A number beyond all use would leave no keys for new objects.
      if let root = model[name], let last = last.integer, last < .max / 2 {
        lastKeys[root.rootNumber] = last
      }
    }
    return StoreDocument(
      metadata: try metadata(in: list),
      lastKeys: lastKeys,
      objects: try objects.map { try object($0, in: model) }
    )
  }

  func metadata(from data: Data) throws -> [String: Any] { try metadata(in: list(from: data)) }

  func replacingMetadata(in data: Data, by metadata: [String: Any]) throws -> Data {
    var table = try list(from: data).table ?? [:]
    table[Field.metadata] = try value(of: metadata)
    return Self.head + PropertyListValue.dictionary(table).binary
  }

  private func list(from data: Data) throws -> PropertyListValue {
    guard data.starts(with: Self.head) else {
      throw FormatProblem("it does not begin like a binary store of this framework")
    }
    do {
      return try PropertyListValue(
        binary: Data(data.dropFirst(Self.head.count)),
        countsLengths: false
      )
    } catch {
      throw FormatProblem("it is damaged: \(error)")
    }
  }

  private func metadata(in list: PropertyListValue) throws -> [String: Any] {
    guard var metadata = list[Field.metadata]?.object as? [String: Any],
      metadata[NSStoreUUIDKey] is String
    else { throw FormatProblem("it has no metadata") }
    metadata[NSStoreTypeKey] = Self.type
    return metadata
  }

  private func object(_ fields: PropertyListValue, in model: ModelLayout) throws -> LooseObject {
    guard let name = fields[Field.entity]?.text, let number = fields[Field.key]?.integer,
      number > 0, number < .max / 2
    else { throw FormatProblem("an object has no entity or no key") }
    guard let layout = model[name], !layout.isAbstract else {
      throw FormatProblem("the model has no objects of the entity \(name)")
    }
    var object = LooseObject(number, of: layout)
    object.version = max(1, min(fields[Field.version]?.integer ?? 1, .max / 2))
    for (key, value) in fields[Field.values]?.table ?? [:] {
      guard let slot = layout.slot(named: key), let attribute = layout.slots[slot].attribute,
        let taken = slotValue(value, as: attribute.type)
      else {
        throw FormatProblem("\(name).\(key) of the \(name) \(number) has a value it cannot have")
      }
      object.values[slot] = taken
    }
    for (key, members) in fields[Field.links]?.table ?? [:] {
      guard let slot = layout.slot(named: key), layout.slots[slot].kind.isRelationship,
        let members = members.list
      else { throw FormatProblem("\(name).\(key) of the \(name) \(number) leads nowhere") }
      object.links.append(LooseObject.Link(slot: slot, members: members.compactMap(\.integer)))
    }
    return object
  }

  private func slotValue(_ value: PropertyListValue, as type: AttributeType) -> SlotValue? {
    switch (type, value) {
    case (.integer16, .integer(let number)): Int16(exactly: number).map { .integer(Int64($0)) }
    case (.integer32, .integer(let number)): Int32(exactly: number).map { .integer(Int64($0)) }
    case (.integer64, .integer(let number)): .integer(number)
    case (.boolean, .integer(let number)): .integer(number == 0 ? 0 : 1)
    case (.double, .real(let number)), (.date, .real(let number)): .real(number)
    case (.float, .real(let number)): .real(Double(Float(number)))
    case (.decimal, .text(let text)): XMLValueText.value(of: text, as: .decimal)
    case (.string, .text(let text)): .text(text)
    case (.uri, .text(let text)): URL(string: text).map { .url($0) }
    case (.uuid, .text(let text)): UUID(uuidString: text).map { .uuid($0) }
    case (.binaryData, .data(let data)), (.transformable, .data(let data)): .data(data)
    case (.undefined, _), (.integer16, _), (.integer32, _), (.integer64, _), (.decimal, _),
      (.double, _), (.float, _), (.string, _), (.boolean, _), (.date, _), (.binaryData, _),
      (.uuid, _), (.uri, _), (.transformable, _), (.objectID, _), (.composite, _):
      nil
    }
  }
}
