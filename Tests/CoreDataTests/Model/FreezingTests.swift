import CoreDataModel
import Foundation
import Synchronization
import Testing

@testable import CoreData

struct FreezingTests {
  @Test func `freezing twice gives the same schema`() {
    let model = NotesInCode.model()
    #expect(!model.isFrozen)
    let schema = model.freeze()
    #expect(model.isFrozen)
    #expect(model.freeze() == schema)
    #expect(model.description(ofEntity: "Note") === model.entitiesByName["Note"])
    #expect(model.description(ofEntity: "Bin") == nil)
  }

  @Test func `many threads freeze one model once`() async {
    let model = NotesInCode.model()
    let schemas = await withTaskGroup(of: ModelSchema.self) { group in
      for _ in 0..<50 { group.addTask { model.freeze() } }
      return await group.reduce(into: Set<ModelSchema>()) { $0.insert($1) }
    }
    #expect(schemas.count == 1)
  }

  @Test func `an attachment is made once, and anew when nobody holds it`() {
    let model = NotesInCode.model()
    let made = Mutex(0)
    func attachment() -> Attachment {
      model.attachment { schema in
        made.withLock { $0 += 1 }
        return Attachment(entities: schema.entities.map(\.name))
      }
    }
    do {
      let one = attachment()
      #expect(attachment() === one)
      #expect(one.entities == ["Folder", "Item", "Note"])
      #expect(made.withLock { $0 } == 1)
    }
    _ = attachment()
    #expect(made.withLock { $0 } == 2)
    #expect(model.isFrozen)
  }

  @Test func `a setter after freezing says which thing and what to do`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let model = NotesInCode.model()
      model.freeze()
      model.entitiesByName["Note"]?.name = "Remark"
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      words.contains(
        "the entity Note belongs to a model that is in use; copy the model to change it"
      )
    )
  }

  @Test func `no setter works after freezing (85)`() async {
    await #expect(processExitsWith: .failure) {
      let model = NotesInCode.frozen
      model.entities = []
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.setEntities([], forConfigurationName: "Cloud")
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.setFetchRequestTemplate(nil, forName: "all")
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Note"]?.properties = []
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Item"]?.subentities = []
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Note"]?.attributesByName["created"]?.isOptional = false
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Note"]?.attributesByName["stars"]?.defaultValue = 1
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Note"]?.relationshipsByName["folder"]?
        .inverseRelationship = nil
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Note"]?.indexes.first?.elements = []
    }
    await #expect(processExitsWith: .failure) {
      NotesInCode.frozen.entitiesByName["Note"]?.indexes.first?.elements.first?.isAscending = false
    }
  }

  @Test func `a coordinator's model cannot be changed, a copy of it can (85)`() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let model = NotesInCode.model()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      withExtendedLifetime(coordinator) {
        model.entitiesByName["Note"]?.properties.append(NotesInCode.attribute("mood", .string))
      }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      words.contains(
        "the entity Note belongs to a model that is in use; copy the model to change it"
      )
    )
    let model = NotesInCode.model()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let copy = try #require(coordinator.managedObjectModel.copy() as? NSManagedObjectModel)
    copy.entitiesByName["Note"]?.properties.append(NotesInCode.attribute("mood", .string))
    #expect(copy.entitiesByName["Note"]?.attributesByName["mood"] != nil)
    #expect(model.entitiesByName["Note"]?.attributesByName["mood"] == nil)
  }

  @Test func `a model with a mistake stops the program and names it`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let model = NotesInCode.model()
      let folder = NSRelationshipDescription()
      folder.name = "bin"
      model.entitiesByName["Note"]?.properties.append(folder)
      model.freeze()
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Note.bin"))
  }
}

private final class Attachment: Sendable {
  let entities: [String]

  init(entities: [String]) {
    self.entities = entities
  }
}

extension NotesInCode {
  fileprivate static var frozen: NSManagedObjectModel {
    let model = model()
    model.freeze()
    return model
  }
}
