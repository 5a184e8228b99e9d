import CoreData
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The routes of checks and measurements, which are made in the background.
///
/// ```
/// POST   /api/check?deep                      begins a check; GET tells how far it is, DELETE stops it
/// GET    /api/room                            the room of tables and indexes
/// GET    /api/entities/Note/figures           the attributes in figures; DELETE stops it
/// ```
extension Studio {
  func addHealth(to router: inout Router) {
    router.post("/api/check") { [desk] request in
      try answering {
        let store = try desk.store()
        let checkup = StoreCheckup(
          store: store,
          url: try store.file(for: "A check"),
          isDeep: request.query["deep"] != nil
        )
        return store.jobs.job(StoreCheckup.name, isFresh: true, checkup.report).json
      }
    }
    router.get("/api/check") { [desk] _ in
      try answering { try desk.store().jobs[StoreCheckup.name]?.json ?? ["state": "none"] }
    }
    router.delete("/api/check") { [desk] _ in
      try answering {
        try desk.store().jobs.stop(StoreCheckup.name)
        return ["state": "none"]
      }
    }
    router.get("/api/room") { [desk] request in
      try answering {
        let store = try desk.store()
        let room = StoreRoom(store: store, url: try store.file(for: "The room of tables"))
        let isFresh = request.query["fresh"] != nil
        return store.jobs.job(StoreRoom.name, isFresh: isFresh, room.measured).json
      }
    }
  }

  func addFigures(to router: inout Router) {
    router.get("/api/entities/:entity/figures") { [desk] request in
      try answering {
        let store = try desk.store()
        let figures = EntityFigures(
          store: store,
          url: try store.file(for: "The page of figures"),
          entity: try store.layout(request.parameter("entity")).name
        )
        let name = EntityFigures.name(of: figures.entity)
        let isFresh = request.query["fresh"] != nil
        return store.jobs.job(name, isFresh: isFresh, figures.figures).json
      }
    }
    router.delete("/api/entities/:entity/figures") { [desk] request in
      try answering {
        try desk.store().jobs.stop(EntityFigures.name(of: request.parameter("entity")))
        return ["state": "none"]
      }
    }
  }
}
