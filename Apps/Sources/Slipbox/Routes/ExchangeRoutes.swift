import CoreDataWebServer
import Foundation
import SlipboxLibrary

extension SlipboxRouter {
  mutating func addExchange() {
    let library = library
    add(.get, "/api/notes/:id/export") { request in
      let form: ExportForm = try request.choice("as", otherwise: .markdown)
      let note = try await library.export(
        try request.id(),
        as: form,
        keepsMetadata: request.query["metadata"] == "keep"
      )
      return Response.data(note.data, contentType: note.contentType).downloaded(as: note.name)
    }
    add(.post, "/api/import", body: .parts) { request in
      let folder = try Self.folder(request)
      let files = try request.parts.compactMap { part in
        try part.filename.map {
          try ImportedFile(name: $0, file: part.file, byteCount: part.byteCount)
        }
      }
      guard !files.isEmpty else { throw Problem(400, "There is no file in the form.") }
      return try .json(try await library.importNotes(files, into: folder, by: request.client))
    }
    addJobs()
  }

  /// Imports and exports of any size, which go on after they were answered.
  private mutating func addJobs() {
    let (library, jobs) = (library, jobs)
    add(.post, "/api/imports", body: .archive) { request in
      let (source, folder, client) = (
        try Self.source(request), try Self.folder(request), request.client
      )
      let job = Job()
      try jobs.add(job)
      job.begin { job in
        .imported(try await library.importNotes(source, into: folder, by: client, job: job))
      }
      return try .json(JobState(job), status: 202)
    }
    add(.post, "/api/exports") { request in
      let wanted: WantedNotes = request.body.isEmpty ? WantedNotes() : try request.json()
      let job = Job()
      try jobs.add(job)
      job.begin { job in
        let file = try await HeldFile(in: library.folder) { descriptor in
          if let notes = wanted.notes {
            let keepsMetadata = wanted.metadata == "keep"
            try await library.export(
              notes,
              to: descriptor,
              keepsMetadata: keepsMetadata,
              job: job
            )
          } else {
            try await library.exportAll(to: descriptor, job: job)
          }
        }
        jobs.keep(file, named: Self.archiveName, of: job)
        return .exported
      }
      return try .json(JobState(job), status: 202)
    }
    add(.get, "/api/exports/:id") { request in
      let (file, name) = try jobs.file(of: try request.id())
      return Response.held(file, contentType: "application/zip").downloaded(as: name)
    }
    add(.get, "/api/jobs/:id") { request in
      try .json(JobState(try jobs.job(try request.id()))).with("Cache-Control", "no-store")
    }
    add(.delete, "/api/jobs/:id") { request in
      let job = try jobs.job(try request.id())
      job.cancel()
      return try .json(JobState(job))
    }
  }

  private static var archiveName: String {
    "Slipbox \(Date().formatted(.iso8601.year().month().day())).zip"
  }

  private static func folder(_ request: Request) throws -> UUID? {
    try request.query["folder"].map { text in
      guard let id = UUID(uuidString: text) else {
        throw Problem(400, "“folder” is an identifier, not “\(text)”.")
      }
      return id
    }
  }

  /// An archive by its first bytes, or one file by its name.
  private static func source(_ request: Request) throws -> ImportSource {
    guard let upload = request.upload, upload.byteCount > 0 else {
      throw Problem(400, "The body of the request is the file; it is empty.")
    }
    if ImportSource.isArchive(upload.file) { return try ImportSource(archive: upload.file) }
    let name = request.headers["X-File-Name"].map { $0.removingPercentEncoding ?? $0 }
    return ImportSource([try ImportedFile(name: name ?? "Note.md", archive: upload.file)])
  }
}

/// The notes of an export; all if none are named.
private struct WantedNotes: Decodable {
  var notes: [UUID]?
  /// “keep” for pictures as they were put in, which those of all notes are.
  var metadata: String?
}
