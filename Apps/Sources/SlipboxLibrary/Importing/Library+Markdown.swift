import CoreData
import Foundation
import RichText

extension Library {
  /// A text of Markdown, as the editor has it; links lead to the notes of their titles.
  ///
  /// - Parameter markdown: The text, as it was pasted.
  /// - Returns: A document.
  /// - Throws: A ``LibraryProblem`` if it is longer than a note may be.
  public func document(markdown: String) async throws -> JSONValue {
    guard markdown.utf8.count <= RichText.maximumSize else {
      throw LibraryProblem.tooLarge("The text is longer than a note may be.")
    }
    let wanted = MarkdownOutline(markdown).linked
    let titles = try await read { try TitleDirectory(of: wanted, byFile: true, in: $0) }
    let surroundings = MarkdownSurroundings(breaksLines: true, noteNamed: { titles[$0] })
    let text = RichText(markdown: markdown, in: surroundings)
    do throws(RichTextError) {
      try text.checkLimits()
    } catch {
      throw LibraryProblem.tooLarge("\(error)")
    }
    return JSONValue(text: text.json)
  }

  /// A part of a text as Markdown, for other programs.
  public func markdown(document: JSONValue) async throws -> String {
    let text = try Given.text(document)
    let titles = try await read { try Note.titlesOfLinks(in: text, $0) }
    return text.markdown { titles($0) }
  }
}
