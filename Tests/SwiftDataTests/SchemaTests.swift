import CoreData
import Foundation
import Testing

@testable import SwiftData

enum Counter {
  nonisolated(unsafe) static var calls = 0

  static func next() -> Int {
    calls += 1
    return calls
  }
}

@Model final class Ticket {
  var number: Int = Counter.next()
  var name = "x"

  init() {}
}

struct SchemaTests {
  @Test func aDefaultThatIsACallIsEvaluatedOncePerProcess() throws {
    let one = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Ticket.self]))
    let other = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Ticket.self]))
    let defaults = [one, other].map {
      $0.entitiesByName["Ticket"]?.attributesByName["number"]?.defaultValue as? Int
    }
    #expect(defaults[0] != nil)
    #expect(defaults[0] == defaults[1])
    let tickets = [Ticket(), Ticket()]
    #expect(tickets[0].number != tickets[1].number)
  }

  @Test func entitiesKnowTheirSuperclassAndSubclasses() throws {
    let schema = Schema([Vehicle.self, Car.self, Racer.self])
    let racer = try #require(schema.entity(for: Racer.self))
    #expect(racer.superentity?.name == "Car")
    #expect(racer.superentity?.superentity?.name == "Vehicle")
    #expect(Set(racer.inheritedPropertiesByName.keys).isSuperset(of: ["doors", "name", "owner"]))
    #expect(racer.inheritedPropertiesByName["speed"] == nil)
    let vehicle = try #require(schema.entity(for: Vehicle.self))
    #expect(vehicle.subentities.map(\.name) == ["Car"])
    #expect(vehicle.inheritedProperties.isEmpty)
    #expect(racer.debugDescription == "Entity Racer: Car (speed)")
  }

  @Test func theModelOfClassesIsMergedWithAnother() throws {
    let other = NSManagedObjectModel()
    let entity = NSEntityDescription()
    entity.name = "Place"
    other.entities = [entity]
    let model = try #require(
      NSManagedObjectModel.makeManagedObjectModel(for: Ticket.self, mergedWith: other)
    )
    #expect(Set(model.entitiesByName.keys) == ["Place", "Ticket"])
    entity.name = "Ticket"
    #expect(NSManagedObjectModel.makeManagedObjectModel(for: Ticket.self, mergedWith: other) == nil)
  }

  @Test func theCasesOfAnEnumerationAreThoseOfTheCompiler() throws {
    enum Many: CaseIterable {
      case one, two, three, four, five
    }
    enum Single { case only }
    enum Loaded {
      case first
      case second(Int)
      case third
    }
    let many = try #require(EnumCases(of: Many.self))
    #expect(many.names == ["one", "two", "three", "four", "five"])
    #expect(many.payloadCount == 0)
    for (index, value) in Many.allCases.enumerated() {
      #expect(EnumCases.index(of: value) == index)
      #expect(EnumCases.value(index, of: Many.self) == value)
    }
    #expect(EnumCases(of: Single.self)?.names == ["only"])
    #expect(EnumCases(of: Loaded.self)?.payloadCount == 1)
    #expect(EnumCases(of: Int.self) == nil)
    #expect(EnumCases(of: Place.self) == nil)
    #expect(EnumCases(of: Note.self) == nil)
  }

  @Test func aStructureIsTakenApartAndPutTogether() throws {
    struct Odd: Codable, Equatable {
      enum CodingKeys: String, CodingKey {
        case first = "a"
        case second = "b"
        case nested = "c"
        case mood = "d"
      }
      private var first: Int8
      var second: String?
      let nested: [String: [Int]]
      var mood: Mood?

      init(_ first: Int8) {
        self.first = first
        nested = ["x": [1, 2]]
      }
    }
    let shape = try #require(try StructureShape(of: Odd.self))
    #expect(shape.fields.map(\.name) == ["first", "second", "nested", "mood"])
    var value = Odd(7)
    value.mood = .angry
    let elements = shape.elements(of: value)
    #expect(elements.keys.sorted() == ["first", "mood", "nested"])
    #expect(shape.value(of: elements, as: Odd.self) == value)
    #expect(shape.value(of: ["second": "x"], as: Odd.self) == nil)
  }

  @Test func versionsAreOrdered() {
    #expect(Schema.Version(1, 2, 0) < Schema.Version(1, 10, 0))
    #expect("\(Schema.Version(2, 0, 1))" == "2.0.1")
    #expect(Schema(versionedSchema: FreezeRayV2.self).version == Schema.Version(2, 0, 0))
  }

  @Test func inversesAreInferredOnlyWhereThereIsOneChoice() {
    func inverse(_ schema: Schema, _ entity: String, _ name: String) -> String? {
      schema.entitiesByName[entity]?.relationshipsByName[name]?.inverseName
    }
    let resources = Schema([ResourcesManager.Item.self])
    #expect(inverse(resources, "Item", "craftingRecipe") == "producedItem")
    #expect(inverse(resources, "CraftingRecipe", "producedItem") == "craftingRecipe")
    #expect(inverse(resources, "Component", "item") == nil)
    let pegase = Schema([Pegase.EntityAccount.self])
    #expect(inverse(pegase, "EntityRubric", "categorie") == nil)
    #expect(inverse(pegase, "EntityCategory", "rubric") == nil)
    #expect(inverse(Schema([SwiftRide.Schedule.self]), "Schedule", "route") == nil)
  }

  @Test func aTypeThatCannotBeStoredStopsTheProgramWithItsName() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Schema([Holder.self])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Holder.outcome"))
  }
}

enum Outcome: Codable {
  case good(Int)
  case bad
}

@Model final class Holder {
  var outcome: Outcome

  init() { outcome = .bad }
}
