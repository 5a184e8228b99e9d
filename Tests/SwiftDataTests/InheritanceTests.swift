import Foundation
import Testing

@testable import SwiftData

enum Fuel: String, Codable { case petrol, power }

@Model class Vehicle {
  var name: String
  let number = UUID()
  var owner: Owner?
  @Transient var steps: [String] = []

  init(name: String) { self.name = name }
}

@Model class Car: Vehicle {
  var doors: Int = 4
  var fuel: Fuel?
  var garage: Owner?
  let plate = UUID()

  init(name: String, doors: Int) {
    self.doors = doors
    super.init(name: name)
  }
}

@Model final class Racer: Car {
  var speed: Double = 300

  init(name: String) { super.init(name: name, doors: 2) }
}

@Model final class Owner {
  var name: String
  @Relationship(inverse: \Vehicle.owner) var vehicles: [Vehicle] = []

  init(name: String) { self.name = name }
}

struct InheritanceTests {
  private func container(at file: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Vehicle.self,
      Car.self,
      Racer.self,
      Owner.self,
      configurations: ModelConfiguration(url: file)
    )
  }

  @Test func modelsOfSubclassesAreReadAsWhatTheyAre() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let numbers: Set<UUID>
    let plate: UUID
    do {
      let context = ModelContext(try container(at: file))
      let owner = Owner(name: "Ann")
      context.insert(owner)
      let car = Car(name: "car", doors: 3)
      let racer = Racer(name: "racer")
      owner.vehicles = [Vehicle(name: "plain"), car, racer]
      racer.speed = 250
      numbers = Set(owner.vehicles.map(\.number))
      plate = racer.plate
      try context.save()
      #expect(numbers.count == 3)
    }
    let context = ModelContext(try container(at: file))
    let all = try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
    #expect(all.map { "\(type(of: $0))" } == ["Car", "Vehicle", "Racer"])
    #expect(Set(all.map(\.number)) == numbers)
    #expect((all[0] as? Car)?.doors == 3)
    let racer = try #require(all[2] as? Racer)
    #expect(racer.speed == 250)
    #expect(racer.doors == 2)
    #expect(racer.plate == plate)
    #expect(racer.owner?.name == "Ann")
    #expect(try context.fetch(FetchDescriptor<Car>()).count == 2)
    #expect(try context.fetch(FetchDescriptor<Racer>()).count == 1)
  }

  @Test func predicatesAskForSubclassesAndInheritedProperties() throws {
    let context = ModelContext(
      try container(at: temporaryFolder().appendingPathComponent("A.store"))
    )
    for model in [Vehicle(name: "plain"), Car(name: "car", doors: 3), Racer(name: "racer")] {
      context.insert(model)
    }
    try context.save()
    let cars = try context.fetch(FetchDescriptor<Vehicle>(predicate: #Predicate { $0 is Car }))
    #expect(Set(cars.map(\.name)) == ["car", "racer"])
    let doors = FetchDescriptor<Vehicle>(predicate: #Predicate { ($0 as? Car)?.doors == 3 })
    #expect(try context.fetch(doors).map(\.name) == ["car"])
    let inherited = try context.fetch(
      FetchDescriptor<Car>(predicate: #Predicate { $0.name == "racer" })
    )
    #expect(inherited.map(\.name) == ["racer"])
  }

  @Test func propertiesOfSubclassesAreAskedInTheStoreAndBeforeTheSave() throws {
    let context = ModelContext(
      try container(at: temporaryFolder().appendingPathComponent("A.store"))
    )
    let (ann, bob) = (Owner(name: "Ann"), Owner(name: "Bob"))
    let cars = [3, 4, 5].map { Car(name: "car \($0)", doors: $0) }
    let racer = Racer(name: "racer")
    for model in [Vehicle(name: "plain"), racer] + cars { context.insert(model) }
    for car in cars { car.owner = ann }
    racer.owner = bob
    cars[0].fuel = .power
    cars[1].garage = bob
    for isSaved in [false, true] {
      func names(_ predicate: Predicate<Vehicle>) throws -> Set<String> {
        Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name))
      }
      if isSaved {
        try context.save()
        context.objects.refreshAllObjects()
      }
      #expect(try names(#Predicate { ($0 as? Car)?.doors ?? 0 > 3 }) == ["car 4", "car 5"])
      #expect(try names(#Predicate { ($0 as? Racer)?.speed == 300 }) == ["racer"])
      #expect(try names(#Predicate { ($0 as? Car)?.doors == nil }) == ["plain"])
      #expect(try names(#Predicate { ($0 as? Car)?.garage?.name == "Bob" }) == ["car 4"])
      let fuel = Fuel.power
      #expect(try names(#Predicate { ($0 as? Car)?.fuel == fuel }) == ["car 3"])
      #expect(try names(#Predicate { ($0 as? Car)?.fuel?.rawValue == "power" }) == ["car 3"])
      let owners = try context.fetch(
        FetchDescriptor<Owner>(
          predicate: #Predicate { $0.vehicles.contains { ($0 as? Car)?.doors == 2 } }
        )
      )
      #expect(owners.map(\.name) == ["Bob"])
    }
  }
}
