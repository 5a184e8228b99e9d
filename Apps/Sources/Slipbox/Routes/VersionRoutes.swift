import CoreDataWebServer
import SlipboxLibrary

extension SlipboxRouter {
  mutating func addVersions() {
    let library = library
    add(.get, "/api/notes/:id/versions") { request in
      try .json(try await library.versions(of: try request.id()))
    }
    add(.get, "/api/notes/:id/versions/:version") { request in
      try .json(try await library.version(try request.id("version"), of: try request.id()))
    }
    add(.post, "/api/notes/:id/versions/:version/restore") { request in
      try .json(
        try await library.restore(
          version: try request.id("version"),
          of: try request.id(),
          by: request.client
        )
      )
    }
  }
}
