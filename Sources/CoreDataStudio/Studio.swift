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
/// Nothing is written to the store before somebody allows changes.
package struct Studio: Sendable {
  let desk: Desk

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
    addHealth(to: &router)
    addFigures(to: &router)
    addNotes(to: &router)
    addChanges(to: &router)
    addModels(to: &router)
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
    router.get("/api/model.svg") { [desk] request in
      let drawing: String
      do {
        let schema =
          try request.query["version"].map(desk.model.schema) ?? desk.store().schema
        let places = try desk.notes.contents.layout.compactMapValues(DiagramPlace.init)
        drawing = DiagramDrawing(schema, title: desk.source.name, places: places).svg
      } catch {
        throw Problem(studio: error)
      }
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
    router.get("/api/objects/:entity/:number/past") { [desk] request in
      try answering {
        let card = try card(desk, request)
        guard let change = try request.number("change", in: 0...Int.max) else {
          throw Problem(400, "change is the number of a change in the history.")
        }
        return try ObjectPast(store: card.store, key: card.key).json(after: change)
      }
    }
    router.get("/api/objects/:entity/:number/graph") { [desk] request in
      do {
        let depth = try request.number("depth", in: 0...ObjectGraph.mostDepth) ?? 1
        return try ObjectGraph(card: card(desk, request), depth: depth).response()
      } catch {
        throw Problem(studio: error)
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
        return try AskedStatement(url: desk.store().file(for: "SQL")).run(asked.sql)
      }
    }
  }
}

extension DiagramPlace {
  /// Two numbers; `nil` for fewer or more.
  fileprivate init?(_ numbers: [Double]) {
    guard numbers.count == 2, numbers.allSatisfy({ $0.isFinite && $0.magnitude <= 1e6 }) else {
      return nil
    }
    self.init(x: numbers[0], y: numbers[1])
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
