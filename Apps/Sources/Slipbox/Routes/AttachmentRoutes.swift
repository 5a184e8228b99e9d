import Foundation
import SlipboxLibrary
import WebServer

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
          // What is not looked at stays on the disk.
          try Data(contentsOf: upload.file, options: .alwaysMapped),
          name: name,
          to: try request.id(),
          by: request.client
        )
      )
    }
    add(.get, "/api/notes/:id/attachment") { request in
      let folder = library.folder
      return try await library.readPicture(of: try request.id()) { picture in
        let response = try Self.response(picture, folder)
          .with("ETag", "\"\(picture.tag)\"").with("Cache-Control", "private, no-cache")
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

  /// A large picture waits in a file until it is taken: slow clients shall not fill the memory.
  static func response(_ picture: OriginalPicture, _ folder: URL) throws -> Response {
    picture.data.count <= usualSize
      ? .data(picture.data, contentType: picture.type)
      : .held(try HeldFile(picture.data, in: folder), contentType: picture.type)
  }

  private static let usualSize = 256 << 10

  /// Whether browsers show pictures of the type without risk; others are for saving.
  static func isShown(_ type: String) -> Bool {
    ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"].contains(type)
  }

  static func type(ofThumbnail data: Data) -> String {
    data.starts(with: "RIFF".utf8) ? "image/webp" : "image/jpeg"
  }
}
