import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  mutating func addFolders() {
    let library = library
    add(.post, "/api/folders") { request in
      let new: NewFolder = try request.json()
      let folder = try await library.makeFolder(
        id: new.id,
        name: new.name,
        parent: new.parent,
        by: request.client
      )
      return try .json(folder, status: 201)
    }
    add(.patch, "/api/folders/:id") { request in
      let edit: FolderEdit = try request.json()
      let (folder, undo) = try await library.edit(
        folder: try request.id(),
        edit,
        by: request.client
      )
      return try .json(EditedFolder(folder: folder, undo: undo))
    }
    add(.delete, "/api/folders/:id") { request in
      let (undo, notes) = try await library.trash(folder: try request.id(), by: request.client)
      return try .json(TrashedFolder(notes: notes, undo: undo))
    }
    add(.post, "/api/folders/:id/restore") { request in
      let (folder, undo) = try await library.restore(folder: try request.id(), by: request.client)
      return try .json(EditedFolder(folder: folder, undo: undo))
    }
  }

  mutating func addKeywords() {
    let library = library
    add(.get, "/api/keywords") { request in
      try .json(
        try await library.keywords(
          text: request.query["text"] ?? "",
          limit: request.limit(otherwise: 50)
        )
      )
    }
    add(.post, "/api/keywords") { request in
      let new: KeywordChoice = try request.json()
      return try .json(try await library.makeKeyword(new, by: request.client), status: 201)
    }
    add(.patch, "/api/keywords/:id") { request in
      let edit: KeywordChoice = try request.json()
      let (keyword, undo) = try await library.edit(
        keyword: try request.id(),
        edit,
        by: request.client
      )
      return try .json(EditedKeyword(keyword: keyword, undo: undo))
    }
    add(.delete, "/api/keywords/:id") { request in
      try .json(Undo(undo: try await library.delete(keyword: try request.id(), by: request.client)))
    }
  }
}

private struct NewFolder: Decodable {
  let id: UUID?
  let name: String
  let parent: UUID?
}

private struct EditedFolder: Encodable {
  let folder: FolderRow
  let undo: String
}

private struct TrashedFolder: Encodable {
  let notes: Int
  let undo: String
}

private struct EditedKeyword: Encodable {
  let keyword: KeywordRow
  let undo: String
}
