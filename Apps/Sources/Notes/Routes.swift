import CoreDataWebServer
import Foundation
import Look

/// The notebook over HTTP, and the pages that use it.
struct Routes {
  let notebook: Notebook

  init(_ notebook: Notebook) { self.notebook = notebook }

  var router: Router {
    var router = Router()
    addNotes(to: &router)
    addCategories(to: &router)
    router.post("/api/undo/:token") { [notebook] request in
      try await notebook.undo(request.parameter("token"))
      return .empty
    }
    router.get("/api/events") { [notebook] request in
      .events(try await notebook.events(note: request.query["note"]))
    }
    router.files(under: "/look", from: Look.folder)
    router.files(under: "/", from: Bundle.module.bundleURL.appendingPathComponent("Web"))
    return router
  }

  private func addNotes(to router: inout Router) {
    router.get("/api/notes") { [notebook] _ in try .json(await notebook.notes()) }
    router.post("/api/notes") { [notebook] request in
      try .json(await notebook.createNote(request.json()), status: 201)
    }
    router.get("/api/notes/:id") { [notebook] request in
      try .json(await notebook.note(request.parameter("id")))
    }
    router.patch("/api/notes/:id") { [notebook] request in
      try .json(await notebook.updateNote(request.parameter("id"), request.json()))
    }
    router.put("/api/notes/:id/category") { [notebook] request in
      let choice: CategoryChoice = try request.json()
      return try .json(
        await notebook.assign(choice.category, toNote: request.parameter("id"))
      )
    }
    router.delete("/api/notes/:id") { [notebook] request in
      try .json(Undo(undo: await notebook.deleteNote(request.parameter("id"))))
    }
  }

  private func addCategories(to router: inout Router) {
    router.get("/api/categories") { [notebook] _ in try .json(await notebook.categories()) }
    router.post("/api/categories") { [notebook] request in
      let named: CategoryName = try request.json()
      return try .json(await notebook.createCategory(name: named.name), status: 201)
    }
    router.patch("/api/categories/:id") { [notebook] request in
      let named: CategoryName = try request.json()
      return try .json(
        await notebook.renameCategory(request.parameter("id"), to: named.name)
      )
    }
    router.patch("/api/categories/:id/notes") { [notebook] request in
      let change: NotesChange = try request.json()
      return try .json(
        await notebook.changeNotes(
          ofCategory: request.parameter("id"),
          add: change.add ?? [],
          remove: change.remove ?? []
        )
      )
    }
    router.delete("/api/categories/:id") { [notebook] request in
      try .json(Undo(undo: await notebook.deleteCategory(request.parameter("id"))))
    }
  }
}

private struct Undo: Codable { let undo: String }

private struct CategoryName: Codable { let name: String }

/// A category, or none, which is said by null: a field that was forgotten takes nothing away.
private struct CategoryChoice: Decodable {
  let category: String?

  private enum CodingKeys: CodingKey { case category }

  init(from decoder: any Decoder) throws {
    let choice = try decoder.container(keyedBy: CodingKeys.self)
    let isNone = try choice.decodeNil(forKey: .category)
    category = try isNone ? nil : choice.decode(String.self, forKey: .category)
  }
}

private struct NotesChange: Codable {
  let add: [String]?
  let remove: [String]?
}
