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
        let response = try originals.response(to: request, with: file, data)
        return Self.isShown(file.type) ? response : response.downloaded(as: file.name)
      }
    }
    add(.get, "/api/files/:id/thumbnail") { request in
      let (data, tag) = try await library.thumbnail(
        ofFile: try request.id(),
        size: request.number("size", otherwise: 1_200, upTo: 100_000)
      )
      return .data(data, contentType: Self.type(ofThumbnail: data))
        .with("ETag", "\"\(tag)\"").with("Cache-Control", "private, no-cache")
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
