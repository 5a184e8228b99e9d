import CoreData
public import Foundation
import RichText

/// A form in which a note can leave.
public enum ExportForm: String, CaseIterable, Sendable {
  case markdown
  case html
  case rtf
  case json

  var fileExtension: String { self == .markdown ? "md" : rawValue }

  var contentType: String {
    switch self {
    case .markdown: "text/markdown; charset=utf-8"
    case .html: "text/html; charset=utf-8"
    case .rtf: "application/rtf"
    case .json: "application/json"
    }
  }
}

/// A note as a file.
public struct ExportedNote: Sendable {
  public let name: String
  public let contentType: String
  public let data: Data
}

extension Library {
  /// A note in one of the forms.
  public func export(_ id: UUID, as form: ExportForm) async throws -> ExportedNote {
    try await read { context in
      let note = try context.note(id)
      return ExportedNote(
        name: "\(note.fileName).\(form.fileExtension)",
        contentType: form.contentType,
        data: try note.exported(as: form)
      )
    }
  }
}

extension Note {
  /// The title without what file systems take amiss.
  fileprivate var fileName: String {
    let name = title.map { "/\\:*?\"<>|".contains($0) || $0.isNewline ? "-" : $0 }
      .reduce(into: "") { $0.append($1) }
      .trimmingCharacters(in: .whitespaces)
      .prefix(80)
    return name.isEmpty || name.hasPrefix(".") ? "Note" : String(name)
  }

  fileprivate func exported(as form: ExportForm) throws -> Data {
    let text = formattedBodyText
    switch form {
    case .markdown:
      let file = MarkdownFile(
        title: title,
        keywords: keywords.sorted().map(\.name),
        status: status.word,
        text: text
      )
      return Data(file.contents.utf8)
    case .html: return Data(text.html(title: title).utf8)
    case .rtf: return text.rtf
    case .json: return Data(text.json.utf8)
    }
  }
}
