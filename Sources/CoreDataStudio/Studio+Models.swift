import CoreDataModel
import CoreDataModelWriting
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The routes of the model's editor.
///
/// ```
/// GET    /api/editor                          versions; POST adds one, PUT makes one current
/// GET    /api/editor/Notes%202                a version; POST edits it
/// POST   /api/editor/Notes%202/undo           and redo, save, reload
/// GET    /api/difference?from=Notes&to=…      what changed, and what a migration does with it
/// POST   /api/trial?version=…                 begins the migration of a copy; GET tells how far it is
/// POST   /api/editor/source                   writes a compiled model, or the store's, as Xcode's source
/// ```
extension Studio {
  func addModels(to router: inout Router) {
    router.get("/api/editor") { [desk] _ in try answering { try versions(desk) } }
    router.post("/api/editor") { [desk] request in
      try answering {
        let new: NewVersion = try request.json()
        let name = try desk.model.addVersion(new.name ?? "", from: new.from)
        guard case .object(let members) = try versions(desk) else { return .null }
        return .object(members + [.init(name: "added", value: .text(name))])
      }
    }
    router.put("/api/editor") { [desk] request in
      try answering {
        let named: NamedVersion = try request.json()
        try desk.model.makeCurrent(named.name)
        return try versions(desk)
      }
    }
    router.post("/api/editor/source") { [desk] _ in
      try answering {
        try writeSource(desk)
        return try versions(desk)
      }
    }
    router.get("/api/editor/:version") { [desk] request in
      try answering { try desk.model.draft(request.parameter("version")) { DraftText($0).json } }
    }
    router.post("/api/editor/:version") { [desk] request in
      try answering {
        let edit: ModelEdit = try request.json()
        return try desk.model.draft(request.parameter("version")) { draft in
          guard draft.revision == edit.revision else {
            throw Problem(409, "The model has changed on another page. Read it again.")
          }
          let place = try draft.edit { try edit.make(in: &$0) }
          return ["place": .array(place.map { .integer($0) }), "draft": DraftText(draft).json]
        }
      }
    }
    addDecisionsOnModels(to: &router)
    addComparisons(to: &router)
  }

  private func addDecisionsOnModels(to router: inout Router) {
    router.post("/api/editor/:version/:decision") { [desk] request in
      try answering {
        let decision = try request.parameter("decision")
        return try desk.model.draft(request.parameter("version")) { draft in
          switch decision {
          case "undo": try draft.undo()
          case "redo": try draft.redo()
          case "save": try draft.save(isForced: request.query["over"] != nil)
          case "reload": try draft.reload()
          case _: throw Problem(404, "There is nothing at this address.")
          }
          return DraftText(draft).json
        }
      }
    }
  }

  private func addComparisons(to router: inout Router) {
    router.get("/api/difference") { [desk] request in
      try answering {
        try DifferenceText(
          from: desk.usableSchema(request.query["from"] ?? ""),
          to: desk.usableSchema(request.query["to"] ?? "")
        ).json
      }
    }
    router.post("/api/trial") { [desk] request in
      try answering {
        let store = try desk.store()
        let trial = TrialMigration(
          store: store,
          url: try store.file(for: "A trial"),
          target: try desk.usableSchema(request.query["version"] ?? "")
        )
        return store.jobs.job(TrialMigration.name, isFresh: true, trial.result).json
      }
    }
    router.delete("/api/trial") { [desk] _ in
      try answering {
        try desk.store().jobs.stop(TrialMigration.name)
        return ["state": "none"]
      }
    }
    router.get("/api/trial") { [desk] _ in
      try answering { try desk.store().jobs[TrialMigration.name]?.json ?? ["state": "none"] }
    }
  }
}

private struct NewVersion: Decodable {
  var name: String?
  let from: String
}

private struct NamedVersion: Decodable {
  let name: String
}

private func versions(_ desk: Desk) throws -> JSONValue {
  guard desk.model.folder != nil else {
    let place = desk.placeOfSource?.lastPathComponent
    return ["isEditable": false, "versions": [], "place": place.map { .text($0) } ?? .null]
  }
  let (names, current, changed) = try desk.model.versions()
  return [
    "isEditable": true, "name": .text(desk.model.folder?.lastPathComponent ?? ""),
    "hasVersions": .boolean(desk.model.folder?.pathExtension == "xcdatamodeld"),
    "current": .text(current),
    "versions": .array(
      names.map { ["name": .text($0), "isChanged": .boolean(changed.contains($0))] }
    ),
  ]
}

/// Writes the open model as Xcode's source beside its file, which is edited from then on.
private func writeSource(_ desk: Desk) throws {
  guard desk.model.folder == nil, let place = desk.placeOfSource else {
    throw Problem(409, "This model is Xcode’s source already.")
  }
  guard !FileManager.default.fileExists(atPath: place.path) else {
    throw Problem(409, "\(place.lastPathComponent) exists already; start coredata studio with it.")
  }
  let name = place.deletingPathExtension().lastPathComponent
  let (versions, current) =
    try desk.source.versions?()
    ?? ([CompiledModel.Version(name: name, schema: desk.store().schema)], name)
  try ModelSource.write(versions, currentVersionName: current, to: place)
  desk.model.take(place)
}

extension Desk {
  /// Returns a version of the model unless it has errors, with which the framework would stop the program.
  fileprivate func usableSchema(_ version: String) throws -> ModelSchema {
    let schema = try model.schema(version)
    if let problem = schema.problems.first(where: { $0.severity == .error }) {
      throw Problem(409, "The version \(version) has an error; mend it first. \(problem)")
    }
    return schema
  }

  /// The folder that a model becomes as Xcode's source.
  fileprivate var placeOfSource: URL? {
    (source.model ?? source.store).map {
      $0.deletingPathExtension().appendingPathExtension("xcdatamodeld")
    }
  }
}
