import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Predicates and expressions that are made before the model of their class is loaded.
@Suite struct EarlyPredicateTests {
  private struct Early {
    let large = NSPredicate(#Predicate<Leaf> { $0.area > 3 })
    let named = NSPredicate(#Predicate<Leaf> { $0.name == "a" })
    let area = NSExpression(forKeyPath: \Leaf.area)
    let order = NSSortDescriptor(keyPath: \Leaf.area, ascending: false)
    let unnameable = NSPredicate(#Predicate<Leaf> { $0.both == "a 4" })

    var compound: NSPredicate? {
      guard let large, let named else { return nil }
      return NSCompoundPredicate(andPredicateWithSubpredicates: [
        large, NSCompoundPredicate(notPredicateWithSubpredicate: named),
      ])
    }

    var comparison: NSPredicate {
      NSComparisonPredicate(
        leftExpression: area,
        rightExpression: NSExpression(forConstantValue: 4),
        modifier: .direct,
        type: .lessThanOrEqualTo
      )
    }
  }

  @Test func `a predicate that was made before its model was loaded stayed nil`() throws {
    let early = Early()
    let large = try #require(early.large)
    let compound = try #require(early.compound)
    let (comparison, unnameable) = (early.comparison, try #require(early.unnameable))
    #expect(large.description.hasPrefix("BLOCKPREDICATE"))

    let leaf = NSEntityDescription()
    (leaf.name, leaf.managedObjectClassName) = ("Leaf", NSStringFromClass(Leaf.self))
    let (area, name) = (NSAttributeDescription(), NSAttributeDescription())
    (area.name, area.attributeType) = ("area", .integer64AttributeType)
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
    leaf.properties = [area, name]
    let model = NSManagedObjectModel()
    model.entities = [leaf]
    for kind in StoreKind.with(.everyRequest) {
      let stack = try ModelStack(model, kind)
      try stack.work { context in
        for (name, area) in [("a", 1), ("a", 4), ("b", 5)] {
          let made = Leaf(context: context)
          made.setValuesForKeys(["name": name, "area": area])
        }
        try context.save()
        func areas(_ predicate: NSPredicate) throws -> [Int] {
          let request = NSFetchRequest<Leaf>(entityName: "Leaf")
          request.predicate = predicate
          request.sortDescriptors = [early.order]
          return try context.fetch(request).map(\.area)
        }
        #expect(try areas(large) == [5, 4])
        #expect(try areas(compound) == [5])
        #expect(try areas(comparison) == [4, 1])
        #expect(large.description == "area > 3" && comparison.description == "area <= 4")
        #expect(compound.description == #"area > 3 AND (NOT name == "a")"#)
        let all = try context.fetch(NSFetchRequest<Leaf>(entityName: "Leaf"))
        #expect(all.filter { large.evaluate(with: $0) }.count == 2)
        #expect(all.filter { unnameable.evaluate(with: $0) }.count == 1)
        #expect(early.area.expressionValue(with: all.first, context: nil) is NSNumber)
      }
    }
    // Now that the model is there, nameless properties are known to be nameless.
    let late = NSPredicate(#Predicate<Leaf> { $0.both == "a 4" })
    #expect(late == nil)
  }
}

/// A class whose model is loaded in the test, after the predicates were made.
final class Leaf: NSManagedObject {
  var area: Int {
    get { value(forKey: "area") as? Int ?? 0 }
    set { setValue(newValue, forKey: "area") }
  }
  var name: String? { value(forKey: "name") as? String }
  var twig: Leaf? { value(forKey: "twig") as? Leaf }
  var both: String { "\(name ?? "") \(area)" }
}
