import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  /// Routes besides notes: the note of the day, templates, kept searches, the map, numbers.
  mutating func addKit() {
    let library = library
    addMaps()
    add(.post, "/api/notes/:id/follow") { request in
      library.followAgain(try request.id())
      return .empty
    }
    add(.delete, "/api/notes/:id/follow") { request in
      library.forgetFollowers(of: try request.id())
      return .empty
    }
    add(.post, "/api/today") { request in
      let day: Today = try request.json()
      let (note, isNew) = try await library.daily(
        day.day,
        utcOffset: day.utcOffset,
        by: request.client
      )
      return try .json(note, status: isNew ? 201 : 200)
    }
    add(.get, "/api/templates") { _ in
      try .json(try await library.templates())
    }
    add(.get, "/api/random") { request in
      let place = try request.place()
      return try .json(["id": try await library.random(in: place)]).with(
        "Cache-Control",
        "no-store"
      )
    }
    add(.get, "/api/statistics") { _ in
      try .json(try await library.statistics())
    }
    add(.get, "/api/notes/:id/mentions") { request in
      try .json(try await library.mentions(of: try request.id()))
    }
    add(.post, "/api/notes/:id/mentions/:other") { request in
      try .json(
        Undo(
          undo: try await library.link(
            mentionOf: try request.id(),
            in: try request.id("other"),
            by: request.client
          )
        )
      )
    }
  }

  /// Maps of links: of few notes at once; of many it is made while the page asks how far it is.
  private mutating func addMaps() {
    let (library, jobs) = (library, jobs)
    add(.get, "/api/map") { _ in
      .data(try await library.map().json, contentType: "application/json")
    }
    add(.post, "/api/maps") { _ in
      let job = Job()
      try jobs.add(job)
      job.begin { job in
        let json = try await library.map(job: job).json
        jobs.keep(try HeldFile(json, in: library.folder), named: "map.json", of: job)
        return .mapped
      }
      return try .json(JobState(job), status: 202)
    }
    add(.get, "/api/maps/:id") { request in
      .held(try jobs.file(of: try request.id()).file, contentType: "application/json")
    }
    add(.get, "/api/notes/:id/map") { request in
      try .json(
        try await library.map(
          around: try request.id(),
          depth: try request.number("depth", otherwise: 2, upTo: 3)
        )
      )
    }
  }

  /// Routes for changes of many notes at once, and for kept searches.
  mutating func addMany() {
    let library = library
    add(.post, "/api/notes/edit") { request in
      let many: ManyEdit = try request.json()
      return try .json(
        Undo(undo: try await library.edit(many.notes, many.edit, by: request.client))
      )
    }
    add(.post, "/api/notes/replace") { request in
      let many: ManyWords = try request.json()
      return try .json(
        try await library.replace(
          many.find,
          with: many.replace,
          in: many.notes,
          matchesCase: many.matchCase ?? false,
          isTrial: many.trial ?? false,
          by: request.client
        )
      )
    }
    add(.post, "/api/notes/merge") { request in
      let notes: MergedNotes = try request.json()
      return try .json(Undo(undo: try await library.merge(notes.notes, by: request.client)))
    }
    add(.post, "/api/notes/:id/split") { request in
      let wanted: WantedSections = try request.json()
      let (notes, undo) = try await library.split(
        try request.id(),
        at: wanted.level,
        by: request.client
      )
      return try .json(SplitNote(notes: notes, undo: undo))
    }
    add(.post, "/api/searches") { request in
      let search: KeptSearch = try request.json()
      let (row, undo) = try await library.keepSearch(
        name: search.name ?? "",
        text: search.text ?? "",
        by: request.client
      )
      return try .json(EditedSearch(search: row, undo: undo), status: 201)
    }
    add(.patch, "/api/searches/:id") { request in
      let search: KeptSearch = try request.json()
      let (row, undo) = try await library.edit(
        search: try request.id(),
        name: search.name,
        text: search.text,
        order: search.order,
        by: request.client
      )
      return try .json(EditedSearch(search: row, undo: undo))
    }
    add(.delete, "/api/searches/:id") { request in
      try .json(Undo(undo: try await library.delete(search: try request.id(), by: request.client)))
    }
  }
}

private struct Today: Decodable {
  let day: String
  let utcOffset: Int?
}

private struct ManyEdit: Decodable {
  let notes: [UUID]
  let edit: NoteEdit
}

private struct ManyWords: Decodable {
  let notes: [UUID]
  let find: String
  let replace: String
  let matchCase: Bool?
  /// Whether it is only to be said how many there are.
  let trial: Bool?
}

/// The notes of a merge; the first keeps its name.
private struct MergedNotes: Decodable {
  let notes: [UUID]
}

private struct WantedSections: Decodable {
  /// The level of the headings with which they begin.
  let level: Int
}

private struct SplitNote: Encodable {
  let notes: [MadeOfSection]
  let undo: String
}

private struct KeptSearch: Decodable {
  let name: String?
  let text: String?
  let order: Int?
}

private struct EditedSearch: Encodable {
  let search: SearchRow
  let undo: String
}
