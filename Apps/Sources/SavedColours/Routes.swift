import CoreDataWebServer
import Foundation
import Look

/// The grid over HTTP, and the page that shows it.
struct Routes {
  let savedColors: SavedColors

  init(_ savedColors: SavedColors) { self.savedColors = savedColors }

  var router: Router {
    let savedColors = savedColors
    var router = Router()
    router.get("/api/colours") { _ in try .json(await savedColors.all()) }
    router.post("/api/colours") { request in
      let sent: NewColor = try request.json()
      guard let color = Color(hex: sent.color) else {
        throw Problem(400, "“\(sent.color)” is no colour such as #2b5f8c.")
      }
      return try .json(await savedColors.add(name: sent.name, color: color), status: 201)
    }
    router.patch("/api/colours/:id") { request in
      let sent: NewName = try request.json()
      return try .json(await savedColors.rename(request.parameter("id"), to: sent.name))
    }
    router.delete("/api/colours/:id") { request in
      try await savedColors.cut(request.parameter("id"))
      return .empty
    }
    router.post("/api/colours/:id/paste") { request in
      try .json(await savedColors.paste(request.parameter("id")))
    }
    router.get("/api/events") { _ in .events(await savedColors.events()) }
    router.files(under: "/look", from: Look.folder)
    router.files(under: "/", from: Bundle.module.bundleURL.appendingPathComponent("Web"))
    return router
  }
}

private struct NewColor: Codable {
  let name: String
  let color: String
}

private struct NewName: Codable { let name: String }
