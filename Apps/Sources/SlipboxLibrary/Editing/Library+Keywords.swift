import CoreData
public import Foundation

extension Library {
  /// Makes a keyword; one of that name, if there is one, is the answer instead.
  public func makeKeyword(_ choice: KeywordChoice, by author: String?) async throws -> KeywordRow {
    try await write(by: author) { context in
      let keyword = try context.keyword(KeywordChoice(name: choice.name ?? "", color: choice.color))
      try context.save()
      return KeywordRow(keyword, count: Int(keyword.notesCount))
    }
  }

  /// Gives a keyword another name or colour.
  public func edit(
    keyword id: UUID,
    _ edit: KeywordChoice,
    by author: String?
  ) async throws -> (keyword: KeywordRow, undo: String) {
    let (row, undo) = try await act(by: author) { context in
      let keyword = try context.keyword(id)
      if let name = edit.name {
        let name = try Given.name(name, of: "keyword")
        if let other = try Keyword.find(named: name, in: context), other !== keyword {
          throw LibraryProblem.refused("There is a keyword “\(other.name)” already.")
        }
        keyword.name = name
      }
      if let color = edit.color { keyword.color = try Given.colour(color) }
      try context.save()
      return KeywordRow(keyword, count: Int(keyword.notesCount))
    }
    return (row, undo)
  }

  /// Deletes a keyword; its notes stay.
  public func delete(keyword id: UUID, by author: String?) async throws -> String {
    try await act(by: author) { context in
      Keyword.delete(try context.keyword(id))
    }.undo
  }
}
