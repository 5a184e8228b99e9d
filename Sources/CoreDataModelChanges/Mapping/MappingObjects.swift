import CoreDataModel
import CoreDataPredicates
import Foundation

/// The objects in the XML of a mapping model, by their identity.
struct MappingObjects {
  let all: [Object]
  private let places: [String: Int]

  struct Object {
    let type: String
    let identity: String
    let attributes: [String: String]
    /// The identities of related objects, by the name of the relationship.
    let related: [String: [String]]
  }

  init(_ xml: Data) throws(ArchiveError) {
    let root: XMLElementTree
    do {
      root = try XMLElementTree.root(of: xml)
    } catch {
      throw ArchiveError("line \(error.line): the file is not well-formed XML: \(error.message)")
    }
    guard root.name == "database" else {
      throw ArchiveError("the file begins with <\(root.name)>, not with <database>")
    }
    let all = root.children(named: "object").map(Object.init)
    self.all = all
    places = Dictionary(all.indices.map { (all[$0].identity, $0) }) { first, _ in first }
  }

  func related(to object: Object, by name: String) throws(ArchiveError) -> [Object] {
    var objects: [Object] = []
    for identity in object.related[name] ?? [] {
      guard let place = places[identity] else {
        throw ArchiveError("the object \(object.identity) refers to \(identity), which is missing")
      }
      objects.append(all[place])
    }
    return objects
  }
}

extension MappingObjects.Object {
  fileprivate init(_ element: XMLElementTree) {
    type = element.attributes["type"] ?? ""
    identity = element.attributes["id"] ?? ""
    attributes = Dictionary(
      element.children(named: "attribute").map { ($0.attributes["name"] ?? "", $0.text) }
    ) { _, last in last }
    related = Dictionary(
      element.children(named: "relationship").map { relationship in
        let identities = (relationship.attributes["idrefs"] ?? "").split(separator: " ")
        return (relationship.attributes["name"] ?? "", identities.map(String.init))
      }
    ) { _, last in last }
  }

  /// A text, or nil when it is absent or empty.
  func text(_ name: String) -> String? {
    attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  var number: Int? { text("mappingnumber").flatMap { Int($0) } }

  /// The bytes that are in the file as text.
  func data(_ name: String) throws(ArchiveError) -> Data? {
    guard let text = text(name) else { return nil }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw ArchiveError("\(name) of the object \(identity) is not spelled in base 64")
    }
    return data
  }

  func names(_ name: String) throws(ArchiveError) -> NamesOfModel {
    guard let data = try data(name) else { return NamesOfModel() }
    return try NamesOfModel(data)
  }

  func expression(_ name: String) throws(ArchiveError) -> ExpressionTree? {
    guard let data = try data(name) else { return nil }
    let archive = try KeyedArchive(data)
    let expression = try ExpressionTree(archived: archive.root)
    try archive.requireWhole()
    return expression
  }
}
