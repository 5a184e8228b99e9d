import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  mutating func addOverview() {
    let library = library
    add(.get, "/api/overview") { _ in
      try .json(try await library.overview())
    }
    add(.get, "/api/suggest") { request in
      try .json(
        try await library.suggestions(
          text: request.query["text"] ?? "",
          limit: request.limit(otherwise: 20)
        )
      )
    }
  }

  /// The works in files of references, to choose from, and those that a text cites.
  mutating func addReferences() {
    let library = library
    add(.get, "/api/references") { request in
      let text = request.query["text"] ?? ""
      guard text.utf8.count <= 1000 else {
        throw Problem(400, "A search for references has at most 1,000 bytes of text.")
      }
      return try .json(
        try await library.references(text: text, limit: request.limit(otherwise: 20))
      )
    }
    add(.get, "/api/references/cited") { request in
      try .json(try await library.cited(request.query.all("key")))
    }
    // More keys than an address has room for.
    add(.post, "/api/references/cited") { request in
      let cited: Cited = try request.json()
      return try .json(try await library.cited(cited.keys))
    }
  }

  mutating func addNotes() {
    let library = library
    add(.get, "/api/notes") { request in
      try .json(try await library.notes(try request.noteQuery()))
    }
    add(.get, "/api/offline") { request in
      try .json(try await library.offlineNotes(after: request.query["after"]))
    }
    add(.get, "/api/embeds") { request in
      try .json(try await library.embeddedNotes(try request.ids("notes")))
    }
    add(.get, "/api/notes/:id") { request in
      try .json(try await library.note(try request.id()))
    }
    add(.post, "/api/notes") { request in
      let new: NewNote = request.body.isEmpty ? NewNote() : try request.json()
      let (note, isNew) = try await library.make(new, by: request.client)
      return try .json(note, status: isNew ? 201 : 200)
    }
    add(.patch, "/api/notes/:id") { request in
      let edit: NoteEdit = try request.json()
      return try .json(try await library.edit(try request.id(), edit, by: request.client))
    }
    add(.post, "/api/notes/move") { request in
      let move: Move = try request.json()
      return try .json(
        Undo(undo: try await library.move(move.notes, to: move.folder, by: request.client))
      )
    }
    add(.post, "/api/undo/:token") { request in
      let redo = try await library.undo(try request.parameter("token"), by: request.client)
      return try .json(["redo": redo])
    }
  }

  mutating func addTrash() {
    let library = library
    add(.delete, "/api/notes/:id") { request in
      let id = try request.id()
      let undo =
        request.query["forever"] == "true"
        ? try await library.deleteForever(id, by: request.client)
        : try await library.trash([id], by: request.client)
      return try .json(Undo(undo: undo))
    }
    add(.post, "/api/notes/:id/restore") { request in
      try .json(try await library.restore(try request.id(), by: request.client))
    }
    add(.post, "/api/notes/trash") { request in
      let notes: Some = try request.json()
      return try .json(Undo(undo: try await library.trash(notes.notes, by: request.client)))
    }
    add(.post, "/api/notes/known") { request in
      let notes: Some = try request.json()
      guard notes.notes.count <= 2_000 else {
        throw Problem(413, "At most 2,000 notes can be asked for at once.")
      }
      return try .json(Known(notes: try await library.known(among: notes.notes)))
    }
    add(.post, "/api/trash/empty") { request in
      let (count, undo) = try await library.emptyTrash(by: request.client)
      return try .json(Emptied(count: count, undo: undo))
    }
  }
}

/// Keys of works.
private struct Cited: Decodable {
  let keys: [String]
}

/// Several notes.
private struct Some: Decodable {
  let notes: [UUID]
}

/// Several notes and where they go; no folder is a place too.
private struct Move: Decodable {
  let notes: [UUID]
  let folder: UUID?
}

private struct Known: Encodable {
  let notes: [String]
}

struct Undo: Encodable {
  @OrNull var undo: String?
}

private struct Emptied: Encodable {
  let count: Int
  let undo: String
}
