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
        let response = try originals.response(to: request, with: picture, data)
        return Self.isShown(picture.type) ? response : response.downloaded(as: picture.name)
      }
    }
    add(.get, "/api/notes/:id/thumbnail") { request in
      let (data, tag) = try await library.thumbnail(
        of: try request.id(),
        size: request.number("size", otherwise: 600, upTo: 100_000)
      )
      return .data(data, contentType: Self.type(ofThumbnail: data))
        .with("ETag", "\"\(tag)\"").with("Cache-Control", "private, no-cache")
    }
    add(.delete, "/api/notes/:id/attachment") { request in
      try .json(Undo(undo: try await library.detach(from: try request.id(), by: request.client)))
    }
  }

  /// Whether browsers show pictures of the type without risk; others are for saving.
  static func isShown(_ type: String) -> Bool {
    ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"].contains(type)
  }

  static func type(ofThumbnail data: Data) -> String {
    data.starts(with: "RIFF".utf8) ? "image/webp" : "image/jpeg"
  }
}
