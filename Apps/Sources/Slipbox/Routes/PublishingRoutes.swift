import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  /// Notes that everybody with a link may read: making and ending links, and the pages behind them.
  ///
  /// ```
  /// GET /api/published                        the published notes
  /// PUT /api/notes/ID/publication             a link; POST replaces it, DELETE ends it
  /// GET /p/SECRET  /p/SECRET/files/ID         without the key: the page, and what it shows
  /// ```
  mutating func addPublishing() {
    let (library, reach) = (library, reach)
    add(.get, "/api/published") { _ in
      try .json(Published(notes: try await library.publishedNotes(), reach: reach))
        .with("Cache-Control", "no-store")
    }
    for (method, replaces) in [(Method.put, false), (.post, true)] {
      add(method, "/api/notes/:id/publication") { request in
        let wanted: Publishing = request.body.isEmpty ? Publishing() : try request.json()
        return try .json(
          try await library.publish(
            try request.id(),
            replaces: replaces,
            language: wanted.language
          )
        )
        .with("Cache-Control", "no-store")
      }
    }
    add(.delete, "/api/notes/:id/publication") { request in
      try library.stopPublishing(try request.id())
      return .empty
    }
    addPublishedPages()
  }

  private mutating func addPublishedPages() {
    let (library, originals) = (library, originals)
    addOpen("/p/:secret") { request in
      let secret = try request.parameter("secret")
      let page = try await library.publishedPage(secret)
      let facts = OriginalPicture.Facts(page: page, secret: secret)
      return try originals.response(forGuest: facts) { page }
        .with("Content-Security-Policy", Self.policyForReaders)
    }
    addOpen("/p/:secret/files/:file") { request in
      let secret = try request.parameter("secret")
      switch try await library.publishedFile(try request.parameter("file"), of: secret) {
      case .picture(let picture):
        return Self.shown(
          picture.facts,
          try originals.response(forGuest: picture.facts) { picture.data }
        )
      case .file(let id):
        return try await library.readPublished(id) { facts, data in
          Self.shown(facts, try originals.response(forGuest: facts, data))
        }
      }
    }
  }

  /// The policy of a published note: no script runs, and pictures and sounds come from this server alone.
  private static let policyForReaders = """
    default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'
    """
}

/// The addresses under which others can reach this server.
struct Reach: Encodable, Sendable {
  /// Whether the server listens for this machine alone.
  var isLocal = true
  /// The names under which browsers may ask.
  var names: [String] = []
}

private struct Published: Encodable {
  let notes: [PublishedRow]
  let reach: Reach
}

private struct Publishing: Decodable {
  /// The language of the browser.
  var language: String?
}
