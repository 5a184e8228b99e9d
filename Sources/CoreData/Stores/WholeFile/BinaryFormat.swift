import CoreDataModel
import Foundation

/// The files of binary stores: a line that says what they are, and a binary property list.
///
/// ```
/// open core data binary store 1 ⏎
/// { metadata, lastKeys, objects: [ { entity, key, version, values, links } ] }
/// ```
///
/// The layout is this project's own: how Apple's framework writes its binary stores is told nowhere,
/// and files of one are no files of the other.
struct BinaryFormat: StoreFormat {
  static let type = NSBinaryStoreType
  static let sharesKeys = false

  private static let head = Data("open core data binary store 1\n".utf8)

  private enum Field {
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
        throw FormatProblem(
          "a binary store keeps no composite attributes such as \(entity.name).\(slot.name)"
        )
      }
    }
  }
}

// MARK: - Writing

extension BinaryFormat {
  func data(of document: StoreDocument, in model: ModelLayout) throws -> Data {
    let lastKeys = document.lastKeys.reduce(into: [String: Int64]()) { keys, pair in
      if let root = model[number: pair.key] { keys[root.name] = pair.value }
    }
    return try data(of: [
      Field.metadata: document.metadata,
      Field.lastKeys: lastKeys,
      Field.objects: document.objects.map(fields),
    ])
  }

  private func fields(of object: LooseObject) -> [String: Any] {
    let slots = object.layout.slots
    var values: [String: Any] = [:]
    for (slot, value) in object.values.enumerated() {
      values[slots[slot].name] = plain(value)
    }
    let links = Dictionary(
      uniqueKeysWithValues: object.links.map { (slots[$0.slot].name, $0.members) }
    )
    return [
      Field.entity: object.layout.name, Field.key: object.number, Field.version: object.version,
      Field.values: values, Field.links: links,
    ]
  }

  private func plain(_ value: SlotValue) -> Any? {
    switch value {
    case .null, .collection: nil
    case .integer(let integer): integer
    case .real(let real): real
    case .text(let text): text
    case .data(let data): data
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .object(let number as NSDecimalNumber): "\(number.decimalValue)"
    case .object: nil
    }
  }

  private func data(of list: [String: Any]) throws -> Data {
    guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else {
      throw FormatProblem("its metadata would have values that no property list can have")
    }
    return Self.head
      + (try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
  }
}

// MARK: - Reading

extension BinaryFormat {
  func document(from data: Data, in model: ModelLayout) throws -> StoreDocument {
    let list = try list(from: data)
    guard let objects = list[Field.objects] as? [[String: Any]] else {
      throw FormatProblem("it has no list of objects")
    }
    var lastKeys: [Int32: Int64] = [:]
    for (name, last) in list[Field.lastKeys] as? [String: Any] ?? [:] {
      if let root = model[name], let last = last as? NSNumber {
        lastKeys[root.rootNumber] = last.int64Value
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
    var list = try list(from: data)
    list[Field.metadata] = metadata
    return try self.data(of: list)
  }

  private func list(from data: Data) throws -> [String: Any] {
    guard data.starts(with: Self.head) else {
      throw FormatProblem("it does not begin like a binary store of this framework")
    }
    let rest = data.dropFirst(Self.head.count)
    let list = try? PropertyListSerialization.propertyList(
      from: Data(rest),
      options: [],
      format: nil
    )
    guard let list = list as? [String: Any] else {
      throw FormatProblem("it is damaged: what follows its first line cannot be read")
    }
    return list
  }

  private func metadata(in list: [String: Any]) throws -> [String: Any] {
    guard var metadata = list[Field.metadata] as? [String: Any],
      metadata[NSStoreUUIDKey] is String
    else { throw FormatProblem("it has no metadata") }
    metadata[NSStoreTypeKey] = Self.type
    return metadata
  }

  private func object(_ fields: [String: Any], in model: ModelLayout) throws -> LooseObject {
    guard let name = fields[Field.entity] as? String,
      let number = (fields[Field.key] as? NSNumber)?.int64Value, number > 0
    else { throw FormatProblem("an object has no entity or no key") }
    guard let layout = model[name], !layout.isAbstract else {
      throw FormatProblem("the model has no objects of the entity \(name)")
    }
    var object = LooseObject(number, of: layout)
    object.version = max(1, (fields[Field.version] as? NSNumber)?.int64Value ?? 1)
    for (key, value) in fields[Field.values] as? [String: Any] ?? [:] {
      guard let slot = layout.slot(named: key), let attribute = layout.slots[slot].attribute,
        let taken = slotValue(value, as: attribute.type)
      else { throw FormatProblem("\(name).\(key) of the \(name) \(number) has a value it cannot have") }
      object.values[slot] = taken
    }
    for (key, members) in fields[Field.links] as? [String: Any] ?? [:] {
      guard let slot = layout.slot(named: key), layout.slots[slot].kind.isRelationship,
        let members = members as? [NSNumber]
      else { throw FormatProblem("\(name).\(key) of the \(name) \(number) leads nowhere") }
      object.links.append(LooseObject.Link(slot: slot, members: members.map(\.int64Value)))
    }
    return object
  }

  private func slotValue(_ value: Any, as type: AttributeType) -> SlotValue? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean:
      (value as? NSNumber).map { .integer($0.int64Value) }
    case .double, .float, .date: (value as? NSNumber).map { .real($0.doubleValue) }
    case .decimal: (value as? String).flatMap { XMLValueText.value(of: $0, as: .decimal) }
    case .string: (value as? String).map { .text($0) }
    case .uri: (value as? String).flatMap { URL(string: $0) }.map { .url($0) }
    case .uuid: (value as? String).flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
    case .binaryData, .transformable: (value as? Data).map { .data($0) }
    case .undefined, .objectID, .composite: nil
    }
  }
}
