import CoreData
public import Foundation

extension Library {
  /// Keeps a search under a name, below all others.
  ///
  /// - Parameters:
  ///   - name: The name in the sidebar.
  ///   - text: The text for the search field, at most 1,000 bytes.
  ///   - author: The author of the change.
  /// - Returns: The search, and the token to undo it with.
  /// - Throws: ``LibraryProblem/refused(_:)`` without a name or a text.
  public func keepSearch(
    name: String,
    text: String,
    by author: String?
  ) async throws -> (search: SearchRow, undo: String) {
    let name = try Given.name(name, of: "search")
    let text = try Given.search(text)
    let now = now()
    let (row, undo) = try await act(by: author) { context in
      let others = try context.fetch(SavedSearch.fetchAll())
      guard others.count < Self.mostSearches else {
        throw LibraryProblem.refused("There are \(Self.mostSearches) searches already.")
      }
      let search = SavedSearch(context: context)
      search.creationDate_ = now
      search.order = Int64(others.count)
      SavedSearch.putInOrder(others)
      (search.name_, search.text_) = (name, text)
      return SearchRow(search)
    }
    return (row, undo)
  }

  /// Gives a search another name, another text, or another place among the searches.
  ///
  /// - Parameters:
  ///   - id: The search.
  ///   - name: The new name; `nil` leaves the name.
  ///   - text: The new text for the search field; `nil` leaves the text.
  ///   - order: The number of searches above it; `nil` leaves it in its place, and more than there are means the end.
  ///   - author: The author of the change.
  /// - Returns: The search, and the token to undo it with.
  /// - Throws: ``LibraryProblem/missing(_:)`` if there is no such search.
  public func edit(
    search id: UUID,
    name: String?,
    text: String?,
    order: Int? = nil,
    by author: String?
  ) async throws -> (search: SearchRow, undo: String) {
    let (row, undo) = try await act(by: author) { context in
      let search = try context.search(id)
      if let name { search.name_ = try Given.name(name, of: "search") }
      if let text { search.text_ = try Given.search(text) }
      if let order {
        var all = try context.fetch(SavedSearch.fetchAll()).filter { $0 !== search }
        all.insert(search, at: min(max(order, 0), all.count))
        SavedSearch.putInOrder(all)
      }
      return SearchRow(search)
    }
    return (row, undo)
  }

  /// Forgets a search; the notes that it finds stay.
  public func delete(search id: UUID, by author: String?) async throws -> String {
    try await act(by: author) { context in context.delete(try context.search(id)) }.undo
  }

  private static let mostSearches = 200
}

extension SavedSearch {
  fileprivate static func putInOrder(_ searches: [SavedSearch]) {
    for (order, search) in searches.enumerated() where search.order != Int64(order) {
      search.order = Int64(order)
    }
  }
}

extension NSManagedObjectContext {
  fileprivate func search(_ id: UUID) throws -> SavedSearch {
    let request = SavedSearch.fetchAll()
    request.predicate = NSPredicate(format: "uuid_ == %@", id as any CVarArg)
    guard let search = try fetch(request).first else {
      throw LibraryProblem.missing("There is no search \(id.text). It may have been deleted.")
    }
    return search
  }
}

extension Given {
  static func search(_ text: String) throws -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty, text.utf8.count <= 1_000 else {
      throw LibraryProblem.refused("A search has some text, and at most 1,000 bytes of it.")
    }
    return text
  }
}
