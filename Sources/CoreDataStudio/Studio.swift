import CoreData
import CoreDataModel
import CoreDataModelWriting
import CoreDataSQLite
import CoreDataStoreCare
package import CoreDataWebServer
import Foundation

/// A store and its model on a page of this machine's browser.
///
/// ```
/// GET  /api/store                                       entities, counts, facts
/// GET  /api/version                                     changes when another program writes
/// GET  /api/entities/Note/rows?from=0&count=100&…       a part of a table
/// GET  /api/entities/Note/explanation?where=…           SQL, plan, advice
/// GET  /api/objects/Note/p3                             a card; below it: members, pointers, history, values
/// GET  /api/entities/Note/file?format=csv&…             a table to take away
/// GET  /api/history?author=…&entity=…                   the timeline
/// GET  /api/model.svg                                   the model as a picture
/// POST /api/sql                                         a statement that only reads
/// GET  /                                                the pages, which are in the program itself
/// ```
///
/// Nothing is ever written to the store.
package struct Studio: Sendable {
  private let desk: Desk

  /// Statements that take longer between two rows are stopped.
  private static let patience = Duration.seconds(60)

  package init(_ source: StudioSource) {
    desk = Desk(source)
    Connection.setTimeOfStatements(Self.patience)
  }

  /// Opens the store, so that a file that cannot be opened is found at once.
  package func open() throws { _ = try desk.store() }

  /// The routes of the pages and of what they ask.
  package var router: Router {
    var router = Router()
    addStore(to: &router)
    addRows(to: &router)
    addObjects(to: &router)
    addHistory(to: &router)
    addQuestions(to: &router)
    StudioPages.add(to: &router)
    return router
  }

  /// The configuration of the server: this machine alone, with a key that is made for each start.
  ///
  /// - Parameter port: The port to listen at; 0 takes any that is free.
  /// - Returns: The configuration, with a new key.
  package static func configuration(port: Int) -> ServerConfiguration {
    var configuration = ServerConfiguration(host: "127.0.0.1", port: port)
    configuration.key = AccessKey(program: "coredata-studio")
    configuration.bodyLimit = 1 << 20
    configuration.accessLog = .off
    configuration.securityHeaders.contentSecurityPolicy = """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """
    return configuration
  }
}

// MARK: - Routes

extension Studio {
  private func addStore(to router: inout Router) {
    router.get("/api/store") { [desk] request in
      try answering {
        // The first page does not wait for the number of all rows.
        let time = request.query["counting"] == "exact" ? Duration.seconds(10) : .milliseconds(60)
        return try StoreSummary(store: desk.store(), source: desk.source, countingTime: time).json()
      }
    }
    router.get("/api/version") { [desk] _ in
      try answering { ["version": .text(FileVersion.text(of: desk.source.store))] }
    }
    router.get("/api/model.svg") { [desk] _ in
      let store: OpenStore
      do { store = try desk.store() } catch { throw Problem(studio: error) }
      let drawing = DiagramDrawing(store.schema, title: desk.source.name).svg
      return .data(Data(drawing.utf8), contentType: "image/svg+xml; charset=utf-8")
        .with("Cache-Control", "no-store")
    }
  }

  private func addRows(to router: inout Router) {
    router.get("/api/entities/:entity/rows") { [desk] request in
      try answering {
        let first = try request.number("from", in: 0...Int.greatestRow) ?? 0
        let count = try request.number("count", in: 1...RowTable.most) ?? 100
        return try Explanation.marking(request.query["where"] ?? "") {
          try table(desk, request)
            .rows(from: first, count: count, isFresh: request.query["fresh"] != nil)
        }
      }
    }
    router.get("/api/entities/:entity/file") { [desk] request in
      do {
        guard let format = TakenRows.Format(rawValue: request.query["format"] ?? "csv") else {
          throw Problem(400, "format is csv, json or md.")
        }
        return try await TakenRows(table: table(desk, request), format: format).response()
      } catch {
        throw Problem(studio: error)
      }
    }
    router.get("/api/entities/:entity/explanation") { [desk] request in
      try answering {
        try Explanation(store: desk.store()).json(
          of: request.parameter("entity"),
          where: request.query["where"] ?? "",
          sort: request.query["sort"] ?? ""
        )
      }
    }
  }

  private func addObjects(to router: inout Router) {
    router.get("/api/objects/:entity/:number") { [desk] request in
      try answering { try card(desk, request).json() }
    }
    router.get("/api/objects/:entity/:number/members/:relationship") { [desk] request in
      try answering {
        try card(desk, request).members(
          request.parameter("relationship"),
          from: try request.number("from", in: 0...Int.greatestRow) ?? 0,
          count: try request.number("count", in: 1...RowTable.most) ?? 20,
          isFresh: request.query["fresh"] != nil
        )
      }
    }
    router.get("/api/objects/:entity/:number/pointers") { [desk] request in
      try answering { try card(desk, request).pointers() }
    }
    router.get("/api/objects/:entity/:number/history") { [desk] request in
      try answering {
        let card = try card(desk, request)
        return try ObjectHistory(store: card.store).changes(of: card.key)
      }
    }
    router.get("/api/objects/:entity/:number/values/:key") { [desk] request in
      do {
        return try card(desk, request).file(
          request.parameter("key"),
          asPicture: request.query["as"] == "picture"
        )
      } catch {
        throw Problem(studio: error)
      }
    }
  }

  private func addHistory(to router: inout Router) {
    router.get("/api/history") { [desk] request in
      try answering {
        func day(_ name: String) throws -> WrittenDate? {
          guard let text = request.query[name], !text.isEmpty else { return nil }
          if let date = WrittenDate(text) { return date }
          throw Problem(400, "\(name) is a date, such as 2024-05-10.")
        }
        var filter = ObjectHistory.Filter()
        filter.before = try request.number("before", in: 0...Int.max)
        filter.author = request.query["author"].flatMap { $0.isEmpty ? nil : $0 }
        filter.entity = request.query["entity"].flatMap { $0.isEmpty ? nil : $0 }
        filter.since = try day("since")?.start
        filter.until = try day("until")?.last
        return try ObjectHistory(store: desk.store()).changes(filter)
      }
    }
  }

  private func addQuestions(to router: inout Router) {
    router.post("/api/sql") { [desk] request in
      try answering {
        let asked: AskedSQL = try request.json()
        let persistent = try desk.store().coordinator.persistentStores.first
        guard let url = persistent?.url, persistent?.type == "SQLite" else {
          throw Problem(404, "SQL is for stores in SQLite files.")
        }
        return try AskedStatement(url: url).run(asked.sql)
      }
    }
  }
}

/// The table that an address names.
private func table(_ desk: Desk, _ request: Request) throws -> RowTable {
  try RowTable(
    desk.store(),
    of: request.parameter("entity"),
    where: request.query["where"] ?? "",
    sort: request.query["sort"] ?? "",
    columns: request.query["columns"].map { $0.split(separator: ",").map(String.init) }
  )
}

private struct AskedSQL: Decodable {
  let sql: String
}

/// The card that an address names.
private func card(_ desk: Desk, _ request: Request) throws -> ObjectCard {
  let (entity, number) = (try request.parameter("entity"), try request.parameter("number"))
  guard let key = StoredKey(entity: entity, number: number) else {
    throw Problem(404, "There is no object \(entity.prefix(200))/\(number.prefix(40)).")
  }
  return try ObjectCard(desk.store(), key)
}
