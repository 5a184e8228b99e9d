import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Models that were read twice, which were not equal.
struct ModelEqualityTests {
  @Test func `a model is equal to another one with the same contents`() throws {
    let model = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    let other = try #require(NotesStack.model.copy() as? NSManagedObjectModel)
    #expect(model == other && model == NotesStack.model)
    #expect(model.hash == other.hash)
    #expect([other].contains(model) && Set([model, other]).count == 1)
    other.entitiesByName["Note"]?.attributesByName["title"]?.isOptional.toggle()
    #expect(model != other)
    #expect(model != NSManagedObjectModel() && !model.isEqual("Notes"))
  }

  @Test func `a mapping model is equal to another one with the same mappings`() throws {
    let mappings = try (0..<2).map { _ in
      try NSMappingModel.inferredMappingModel(
        forSourceModel: NotesStack.model,
        destinationModel: NotesStack.model
      )
    }
    #expect(mappings[0] == mappings[1])
    #expect(mappings[0].hash == mappings[1].hash)
    mappings[1].entityMappings.first?.sourceEntityName = "Other"
    #expect(mappings[0] != mappings[1])
  }
}
