import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The routes of what is kept beside the model or the store.
///
/// ```
/// GET    /api/questions                       saved questions; POST keeps one, DELETE ?name=…&entity=… removes it
/// POST   /api/layout                          {"entity": "Note", "x": 40, "y": 120}; DELETE forgets all places
/// ```
extension Studio {
  func addNotes(to router: inout Router) {
    router.get("/api/questions") { [notes = desk.notes] _ in
      try answering { ["questions": .array(try notes.contents.questions.map(json))] }
    }
    router.post("/api/questions") { [notes = desk.notes] request in
      try answering {
        try notes.keep(request.json())
        return ["questions": .array(try notes.contents.questions.map(json))]
      }
    }
    router.delete("/api/questions") { [notes = desk.notes] request in
      try answering {
        try notes.remove(request.query["name"] ?? "", of: request.query["entity"] ?? "")
        return ["questions": .array(try notes.contents.questions.map(json))]
      }
    }
    router.post("/api/layout") { [desk] request in
      try answering {
        let place: MovedEntity = try request.json()
        guard try desk.store().schema.entity(named: place.entity) != nil else {
          throw Problem(404, "The model has no entity “\(place.entity.prefix(200))”.")
        }
        try desk.notes.move(place.entity, x: place.x, y: place.y)
        return ["isSaved": true]
      }
    }
    router.delete("/api/layout") { [notes = desk.notes] _ in
      try answering {
        try notes.forgetLayout()
        return ["isSaved": true]
      }
    }
  }
}

private struct MovedEntity: Decodable {
  let entity: String
  let x: Double
  let y: Double
}

private func json(_ question: StudioNotes.Question) -> JSONValue {
  [
    "name": .text(question.name), "entity": .text(question.entity),
    "condition": .text(question.condition ?? ""), "sort": .text(question.sort ?? ""),
    "columns": .text(question.columns ?? ""),
  ]
}
