import CoreDataModelWriting
import CoreDataWebServer
import Foundation

/// One edit of a model that a page asks for.
///
/// ```json
/// {"revision": 3, "op": "set", "place": [2, 0], "attributes": {"optional": "YES", "minValueString": null}}
/// {"revision": 3, "op": "insert", "place": [2], "element": "attribute", "attributes": {"name": "rating"}}
/// {"revision": 3, "op": "remove", "place": [2, 0]}        {"op": "move", "step": -1}
/// {"revision": 3, "op": "rename", "place": [2, 0], "name": "stars"}
/// {"revision": 3, "op": "inverse", "place": [2, 4], "name": "notes"}
/// ```
struct ModelEdit: Decodable {
  enum Kind: String, Decodable {
    case set, insert, remove, rename, move, inverse
  }

  let revision: Int
  let op: Kind
  let place: [Int]
  var name: String?
  var element: String?
  var attributes: [String: String?]?
  var step: Int?

  private static let elements: Set = [
    "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "fetchIndex",
    "fetchIndexElement", "uniquenessConstraints", "uniquenessConstraint", "constraint", "userInfo",
    "entry", "composite", "configuration", "memberEntity",
  ]
  private static let longest = 20_000

  /// Makes the edit.
  ///
  /// - Returns: The place of the element that it is about, afterwards.
  func make(in document: inout ModelDocument) throws -> [Int] {
    let texts = (attributes ?? [:]).flatMap { [$0.key, $0.value ?? ""] } + [name ?? ""]
    guard place.count <= 20, texts.count <= 200,
      texts.allSatisfy({ $0.utf8.count <= Self.longest })
    else { throw Problem(400, "A value of a model has at most 20,000 bytes.") }
    for key in (attributes ?? [:]).keys where !Self.isName(key) {
      throw Problem(400, "“\(key.prefix(60))” is no name of an option.")
    }
    switch op {
    case .set:
      for (key, value) in (attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
        try document.set(key, to: value, at: place)
      }
      return place
    case .insert:
      guard let element, Self.elements.contains(element) else {
        throw Problem(400, "Studio cannot add this kind of element.")
      }
      return try document.insert(
        element,
        (attributes ?? [:]).compactMap { key, value in value.map { (key, $0) } },
        in: place
      )
    case .remove:
      try document.remove(at: place)
      return Array(place.dropLast())
    case .rename: return try document.rename(to: name ?? "", at: place)
    case .move: return try document.move(at: place, by: step ?? 1)
    case .inverse:
      try document.setInverse(name, at: place)
      return place
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 100
      && text.utf8.allSatisfy { byte in
        (65...90).contains(byte) || (97...122).contains(byte) || (48...57).contains(byte)
      } && !text.utf8.starts(with: [48])
  }
}
