import CoreDataModel
import Foundation

/// The model of an XML store, as far as its objects show it.
///
/// ```
/// <object type="NOTE" id="z102">
///     <attribute name="title" type="string">First</attribute>            title: String
///     <relationship name="folder" type="1/1" destination="FOLDER" …>     folder: to-one, to Folder
/// ```
///
/// A file has the types of all values that there are. It has entities in capitals and properties in small letters; the
/// metadata have the names of entities as the program writes them. Inheritance, and the inverses of relationships without
/// objects, do not show.
struct XMLStoreModel {
  private var scanner: XMLScanner
  private var entities: [String: Entity] = [:]
  /// The entity of each object, to compare it with the destinations of relationships.
  private var types: [Int64: String] = [:]

  private struct Entity {
    var attributes: [String: AttributeType] = [:]
    var relationships: [String: Relationship] = [:]
  }

  private struct Relationship {
    var destination: String
    var isToMany: Bool
    var members: Members
  }

  /// The pairs of a relationship, whatever their order: those of its inverse are the same, turned round.
  private struct Members {
    var count = 0
    var pairs: UInt64 = 0
    var turned: UInt64 = 0
    var all: Set<Int64> = []

    mutating func add(_ owner: Int64, _ member: Int64) {
      count += 1
      pairs &+= Self.mark(owner, member)
      turned &+= Self.mark(member, owner)
      all.insert(member)
    }

    private static func mark(_ one: Int64, _ other: Int64) -> UInt64 {
      var hasher = Hasher()
      hasher.combine(one)
      hasher.combine(other)
      return UInt64(bitPattern: Int64(hasher.finalize()))
    }
  }

  init(_ data: Data) throws {
    do {
      scanner = try XMLScanner(data, greatestDepth: 100, allowsControls: true)
      while let token = try scanner.next() {
        guard case .open("object", let fields) = token else { continue }
        try readObject(fields)
      }
    } catch let error as XMLSyntaxError {
      throw FormatProblem(error)
    }
  }

  /// The model, with the names of entities that the metadata have.
  func schema(naming names: [String]) throws -> ModelSchema {
    let written = Dictionary(names.map { ($0.uppercased(), $0) }) { first, _ in first }
    func name(_ type: String) -> String { written[type] ?? type.capitalized }
    var schema = ModelSchema()
    let root = rootName(besides: Set(entities.keys).union(written.keys))
    var needsRoot = false
    for (type, entity) in entities.sorted(by: { $0.key < $1.key }) {
      var described = EntitySchema(name: name(type))
      for (key, type) in entity.attributes.sorted(by: { $0.key < $1.key }) {
        described.attributes.append(AttributeSchema(name: key, type: type))
      }
      for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
        let leadsThere = relationship.members.all.allSatisfy {
          types[$0] ?? relationship.destination == relationship.destination
        }
        let isKnown = entities[relationship.destination] != nil
        needsRoot = needsRoot || !leadsThere || !isKnown
        let inverse = leadsThere && isKnown ? inverse(of: relationship, from: type) : nil
        var link = RelationshipSchema(
          name: key,
          destinationName: leadsThere && isKnown ? name(relationship.destination) : root,
          inverseName: inverse
        )
        link.maxCount = relationship.isToMany ? 0 : 1
        described.relationships.append(link)
      }
      schema.entities.append(described)
    }
    if needsRoot {
      for index in schema.entities.indices { schema.entities[index].superentityName = root }
      var described = EntitySchema(name: root)
      described.isAbstract = true
      schema.entities.append(described)
    }
    schema = schema.canonical
    if let problem = (schema.problems + schema.formatProblems).first(where: {
      $0.severity == .error
    }) {
      throw FormatProblem("the names in it cannot be those of a model: \(problem)")
    }
    return schema
  }
}

// MARK: - Objects

extension XMLStoreModel {
  private mutating func readObject(_ fields: [String: String]) throws {
    guard let type = fields["type"], !type.isEmpty, let number = Self.number(fields["id"] ?? "")
    else {
      throw problem("an <object> needs a type and an id")
    }
    types[number] = type
    var entity = entities[type] ?? Entity()
    while let token = try scanner.next() {
      switch token {
      case .open("attribute", let fields):
        if let name = fields["name"], entity.attributes[name] == nil {
          entity.attributes[name] = XMLValueText.type(of: fields["type"] ?? "")
        }
      case .open("relationship", let fields):
        try readRelationship(fields, of: number, into: &entity)
      case .close("object"):
        entities[type] = entity
        return
      case .open, .close, .text: continue
      }
    }
    throw problem("the text ends before </object>")
  }

  private func readRelationship(
    _ fields: [String: String],
    of owner: Int64,
    into entity: inout Entity
  ) throws {
    guard let name = fields["name"], let destination = fields["destination"] else {
      throw problem("a <relationship> needs a name and a destination")
    }
    let members = try (fields["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map { id in
      guard let number = Self.number(id) else { throw problem("“\(id.prefix(40))” is no id") }
      return number
    }
    // As in 1/1, the least and the greatest count; 0 is any.
    let isToMany = fields["type"].map { !$0.hasSuffix("/1") } ?? (members.count > 1)
    var relationship =
      entity.relationships[name]
      ?? Relationship(destination: destination, isToMany: isToMany, members: Members())
    relationship.isToMany = relationship.isToMany || isToMany || members.count > 1
    for member in members { relationship.members.add(owner, member) }
    entity.relationships[name] = relationship
  }

  private func problem(_ sentence: String) -> FormatProblem {
    FormatProblem("line \(scanner.line): \(sentence)")
  }

  private static func number(_ id: some StringProtocol) -> Int64? {
    id.hasPrefix("z") ? Int64(id.dropFirst()) : nil
  }
}

// MARK: - Between entities

extension XMLStoreModel {
  /// The only relationship back that has the same pairs.
  private func inverse(of relationship: Relationship, from type: String) -> String? {
    guard relationship.members.count > 0 else { return nil }
    let back = entities[relationship.destination]?.relationships.filter { _, other in
      other.destination == type && other.members.count == relationship.members.count
        && other.members.turned == relationship.members.pairs
    }
    let forth = entities[type]?.relationships.values.count { other in
      other.destination == relationship.destination
        && other.members.pairs == relationship.members.pairs
    }
    return back?.count == 1 && forth == 1 ? back?.first?.key : nil
  }

  /// A name for an entity above all others, which objects of several entities need.
  private func rootName(besides names: Set<String>) -> String {
    var name = "Object"
    while names.contains(name.uppercased()) { name = "Any\(name)" }
    return name
  }
}

extension StoredModel {
  /// Derives a model from the objects of an XML store.
  ///
  /// Throws 259 if the file is not a store.
  package init(inXMLStoreAt url: URL) throws {
    let data = try Data(contentsOf: url)
    schema = try FormatProblem.translating(path: url.path) {
      let metadata = try XMLFormat().metadata(from: data)
      let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Any] ?? [:]
      return try XMLStoreModel(data).schema(naming: hashes.keys.sorted())
    }
    source = .tables
    confirmedEntities = []
  }
}
