import CoreData
import TestSupport
import Testing

import class CoreData.NSExpression

@Suite struct FetchExpressionTests {
  @Test func `an expression fetches, or counts`() throws {
    let context = try NotesStack().context()
    try context.performAndWait {
      for stars in 1...3 { Note(context: context).stars = Int16(stars) }
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "stars > 1")
      let fetch = NSFetchRequestExpression.expression(
        forFetch: NSExpression(forConstantValue: request),
        context: NSExpression(forConstantValue: context),
        countOnly: false
      )
      let found = fetch.expressionValue(with: nil, context: nil) as? [Note]
      #expect(Set(try #require(found).map(\.stars)) == [2, 3])
      #expect(fetch.expressionType == NSFetchRequestExpressionType)
      #expect(fetch.expressionType.rawValue == 50)
      let parts = try #require(fetch as? NSFetchRequestExpression)
      #expect(parts.requestExpression.constantValue as? NSFetchRequest<Note> === request)
      #expect(parts.contextExpression.constantValue as? NSManagedObjectContext === context)
      #expect(!parts.isCountOnlyRequest)
      let variables = NSMutableDictionary(dictionary: ["request": request, "context": context])
      let count = NSExpression(format: "FETCH($request, $context, YES)")
      #expect(count.expressionValue(with: nil, context: variables) as? Int == 2)
      let predicate = NSPredicate(format: "stars < FETCH($request, $context, YES)")
      let note = try #require(found?.first { $0.stars == 3 })
      #expect(
        !predicate.evaluate(
          with: note,
          substitutionVariables: ["request": request, "context": context]
        )
      )
    }
  }
}
