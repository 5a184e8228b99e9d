import Foundation
import SlipboxLibrary
import WebServer

extension SlipboxRouter {
  mutating func addExchange() {
    let library = library
    add(.get, "/api/notes/:id/export") { request in
      let form: ExportForm = try request.choice("as", otherwise: .markdown)
      let note = try await library.export(
        try request.id(),
        as: form,
        keepsMetadata: request.query["metadata"] == "keep"
      )
      return Response.data(note.data, contentType: note.contentType).downloaded(as: note.name)
    }
    add(.post, "/api/import", body: .parts) { request in
      let folder = try request.query["folder"].map { text in
        guard let id = UUID(uuidString: text) else {
          throw Problem(400, "“folder” is an identifier, not “\(text)”.")
        }
        return id
      }
      let files = try request.parts.compactMap { part in
        try part.filename.map {
          try ImportedFile(name: $0, file: part.file, byteCount: part.byteCount)
        }
      }
      guard !files.isEmpty else { throw Problem(400, "There is no file in the form.") }
      return try .json(try await library.importNotes(files, into: folder, by: request.client))
    }
  }
}
