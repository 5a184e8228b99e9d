import CoreDataStrictJSON
import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  /// The pictures and files in texts, and texts of Markdown that are pasted.
  mutating func addFiles() {
    let library = library
    add(.put, "/api/notes/:id/files", body: .file) { request in
      guard let upload = request.upload, upload.byteCount > 0 else {
        throw Problem(400, "The body of the request is the file; it is empty.")
      }
      let name = request.headers["X-File-Name"].map { $0.removingPercentEncoding ?? $0 }
      let file = try await library.addFile(
        try Data(contentsOf: upload.file, options: .alwaysMapped),
        name: name,
        to: try request.id(),
        by: request.client
      )
      return try .json(file, status: 201)
    }
    let originals = originals
    add(.get, "/api/files/:id") { request in
      try await library.readFile(try request.id()) { file, data in
        Self.shown(file, try originals.response(to: request, with: file, data))
      }
    }
    add(.get, "/api/files/:id/thumbnail") { request in
      Self.thumbnail(
        try await library.thumbnail(
          ofFile: try request.id(),
          size: request.number("size", otherwise: 1_200, upTo: 100_000)
        )
      )
    }
    add(.get, "/api/files/:id/pages") { request in
      try .json(try await library.pages(ofFile: try request.id()))
    }
    add(.get, "/api/files/:id/pages/:number") { request in
      let number = try request.number(named: "number", of: "page")
      let size = try request.number("size", otherwise: 1_200, upTo: 100_000)
      return Self.thumbnail(
        try await library.page(number, ofFile: try request.id(), size: size)
      )
    }
    add(.post, "/api/markdown") { request in
      let pasted: Pasted = try request.json()
      return try .json(["document": try await library.document(markdown: pasted.markdown)])
    }
    add(.post, "/api/markdown/written") { request in
      let copied: Copied = try request.json()
      return try .json(["markdown": try await library.markdown(document: copied.document)])
    }
  }
}

private struct Pasted: Decodable {
  let markdown: String
}

private struct Copied: Decodable {
  let document: JSONValue
}
