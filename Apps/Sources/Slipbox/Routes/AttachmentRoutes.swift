import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  mutating func addAttachments() {
    let library = library
    add(.put, "/api/notes/:id/attachment", body: .file) { request in
      guard let upload = request.upload, upload.byteCount > 0 else {
        throw Problem(400, "The body of the request is the picture; it is empty.")
      }
      let name = request.headers["X-File-Name"].map { $0.removingPercentEncoding ?? $0 }
      return try .json(
        try await library.attach(
          // Data that is not read stays on the disk.
          try Data(contentsOf: upload.file, options: .alwaysMapped),
          name: name,
          to: try request.id(),
          by: request.client
        )
      )
    }
    let originals = originals
    add(.get, "/api/notes/:id/attachment") { request in
      try await library.readPicture(of: try request.id()) { picture, data in
        Self.shown(picture, try originals.response(to: request, with: picture, data))
      }
    }
    add(.get, "/api/notes/:id/thumbnail") { request in
      Self.thumbnail(
        try await library.thumbnail(
          of: try request.id(),
          size: request.number("size", otherwise: 600, upTo: 100_000)
        )
      )
    }
    add(.delete, "/api/notes/:id/attachment") { request in
      try .json(Undo(undo: try await library.detach(from: try request.id(), by: request.client)))
    }
  }

  /// The answer with a picture or file: browsers show it if that is without risk, and save it otherwise.
  static func shown(_ file: OriginalPicture.Facts, _ response: Response) -> Response {
    if file.isDrawing { return response.with("Content-Security-Policy", policyForDrawings) }
    let pictures = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"]
    return file.isPlayed || pictures.contains(file.type)
      ? response : response.downloaded(as: file.name)
  }

  static func thumbnail(_ picture: OriginalPicture) -> Response {
    let response = Response.data(picture.data, contentType: picture.facts.type)
      .with("ETag", "\"\(picture.facts.tag)\"").with("Cache-Control", "private, no-cache")
    return shown(picture.facts, response)
  }

  /// The policy of an SVG that somebody opens by its address: no script runs in it, and it loads nothing.
  ///
  /// As a picture of a page, browsers treat it so in any case.
  private static let policyForDrawings = """
    default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox
    """
}
