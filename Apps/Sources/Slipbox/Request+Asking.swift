import CoreDataStrictJSON
import CoreDataWebServer
import Foundation
import SlipboxLibrary

// The routes' questions about a request.

extension Request {
  /// The field in which a page says which browser tab it is in.
  static let clientField = "X-Slipbox-Client"

  /// The browser tab that asks; the author of its changes.
  var client: String? {
    guard let name = headers[Self.clientField], !name.isEmpty, name.utf8.count <= 100 else {
      return nil
    }
    return name
  }

  /// The identifier in the address.
  func id(_ name: String = "id") throws -> UUID {
    let text = try parameter(name)
    guard let id = UUID(uuidString: text) else {
      throw Problem(404, "“\(text)” is no identifier.")
    }
    return id
  }

  /// The identifiers in a field of the query, with commas between them.
  func ids(_ name: String) throws -> [UUID] {
    try (query[name] ?? "").split(separator: ",").map { text in
      guard let id = UUID(uuidString: String(text)) else {
        throw Problem(
          400,
          "“\(name)” has identifiers with commas between them, not “\(text.prefix(80))”."
        )
      }
      return id
    }
  }

  /// A number of the query; throws if it is not a number, or too large.
  func number(_ name: String, otherwise number: Int, upTo most: Int = 1_000_000_000) throws -> Int {
    guard let text = query[name] else { return number }
    if let value = WholeNumber.read(text, within: 0...most) { return value }
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    throw Problem(
      400,
      isNumber
        ? "“\(name)” is at most \(most), not \(text)." : "“\(name)” is a number, not “\(text)”."
    )
  }

  /// How many rows of a list are wanted; throws for more than 500, which nobody can look at.
  func limit(otherwise number: Int) throws -> Int {
    try self.number("limit", otherwise: number, upTo: 500)
  }

  /// One of several words of the query; throws for any other.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    otherwise choice: Choice
  ) throws -> Choice where Choice.RawValue == String {
    guard let text = query[name], !text.isEmpty else { return choice }
    guard let value = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(400, "“\(name)” is one of \(words), not “\(text)”.")
    }
    return value
  }

  /// The place that the query names, `in`.
  func place() throws -> NotePlace {
    let text = query["in"] ?? "all"
    guard let place = NotePlace(text: text) else {
      throw Problem(
        400,
        "“in” is all, favourites, recent, unfiled, trash, folder:ID or keyword:ID, not “\(text)”."
      )
    }
    return place
  }

  /// The name of the property that rows show; throws for one that is longer than a name.
  private func column() throws -> String? {
    guard let name = query["column"], !name.isEmpty else { return nil }
    guard name.utf8.count <= 100 else {
      throw Problem(400, "The name of a property has at most 100 bytes.")
    }
    return name
  }

  /// The list of notes that the query describes.
  func noteQuery() throws -> NoteQuery {
    let place = try place()
    let words = query["text"] ?? ""
    guard words.utf8.count <= 1000 else {
      throw Problem(400, "A search has at most 1,000 bytes of text.")
    }
    var search = NoteSearch(place: place, text: words, scope: try choice("scope", otherwise: .here))
    for word in query.all("token").flatMap({ $0.split(separator: ",") }) {
      guard let token = NoteSearchToken(rawValue: String(word)) else {
        let words = NoteSearchToken.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(400, "A token is one of \(words), not “\(word)”.")
      }
      search.add(token)
    }
    return NoteQuery(
      search,
      sorting: try choice("sort", otherwise: .dateDescending),
      offset: try number("offset", otherwise: 0),
      limit: try limit(otherwise: 60),
      column: try column()
    )
  }
}
