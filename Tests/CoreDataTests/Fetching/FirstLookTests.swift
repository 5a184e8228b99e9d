import CoreData
import Foundation
import TestSupport
import Testing

/// A program that looks for an object before it makes one finds each that it has made: objects that are left out
/// without evaluating their predicate are those for which it is not true.
@Suite struct FirstLookTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
  private static let uuid = UUID()

  /// A value of each kind, in every form in which it can be searched for, and values that no object has.
  private static var predicates: [NSPredicate] {
    [
      NSPredicate(format: "title == %@", "caf\u{e9}"),
      NSPredicate(format: "title == %@", "cafe\u{301}"),
      NSPredicate(format: "title == %@", "CAF\u{c9}"),
      NSPredicate(format: "title ==[cd] %@", "cafe"),
      NSPredicate(format: "title == nil"), NSPredicate(format: "title != nil"),
      NSPredicate(format: "text == 'old'"), NSPredicate(format: "text == 'new'"),
      NSPredicate(format: "stars == 3"), NSPredicate(format: "3 == stars"),
      NSPredicate(format: "stars == 3.0"), NSPredicate(format: "stars == 3.5"),
      NSPredicate(format: "rating == 0.1"), NSPredicate(format: "rating == 2"),
      NSPredicate(format: "rating == %f", 0.1 as Float), NSPredicate(format: "rating == 0"),
      NSPredicate(format: "isFavourite == YES"), NSPredicate(format: "isFavourite == 0"),
      NSPredicate(format: "created == %@", date as NSDate),
      NSPredicate(format: "created == %@", date.addingTimeInterval(0.125) as NSDate),
      NSPredicate(format: "created == nil"), NSPredicate(format: "uuid == %@", uuid as NSUUID),
      NSPredicate(format: "uuid == %@", UUID() as NSUUID), NSPredicate(format: "uuid == nil"),
      NSPredicate(format: "views == 9007199254740993"), NSPredicate(format: "views == nil"),
      NSPredicate(format: "price == %@", NSDecimalNumber(string: "1.5")),
      NSPredicate(format: "link == %@", NSURL(fileURLWithPath: "/notes")),
      NSPredicate(format: "stars == 3 AND text == 'new'"),
      NSPredicate(format: "isFavourite == YES AND title == 'Plain'"),
      NSPredicate(format: "title == 'Plain' AND NOT (stars == 3)"),
      NSPredicate(format: "title == 'Plain' OR stars == 3"), NSPredicate(format: "SELF != nil"),
    ]
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object is found by each of its values, before and after it is saved and changed`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let notes = ["caf\u{e9}", "cafe\u{301}", "Plain", nil].map { title in
        let note = Note(context: context)
        note.title = title
        return note
      }
      try expectEachFound(in: context, among: notes)
      let last = notes[2]
      (last.stars, last.rating, last.isFavourite) = (3, 0.1, true)
      (last.created, last.uuid, last.views) = (Self.date, Self.uuid, 9_007_199_254_740_993)
      (last.price, last.link) = (NSDecimalNumber(string: "1.5"), URL(fileURLWithPath: "/notes"))
      for note in notes { note.text = "old" }
      try expectEachFound(in: context, among: notes)
      try context.obtainPermanentIDs(for: [notes[0]])
      try expectEachFound(in: context, among: notes)
      try context.save()
      for note in notes { note.text = "new" }
      try expectEachFound(in: context, among: notes)
      (notes[0].rating, notes[1].stars, notes[2].title) = (Double(0.1 as Float), 3, "caf\u{e9}")
      try expectEachFound(in: context, among: notes)
      context.refresh(notes[1], mergeChanges: true)
      try expectEachFound(in: context, among: notes)
    }
  }

  private func expectEachFound(in context: NSManagedObjectContext, among notes: [Note]) throws {
    for predicate in Self.predicates {
      let request = Note.fetchRequest()
      request.predicate = predicate
      let expected = Set(notes.filter { predicate.evaluate(with: $0) })
      #expect(try Set(context.fetch(request)) == expected, "\(predicate)")
      #expect(try context.count(for: request) == expected.count, "\(predicate)")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object whose class answers for its keys is found by what that says`(
    kind: StoreKind
  ) throws {
    let model = CodedModel.model(
      CodedModel.entity("Card", ShoutingCard.self, CodedModel.attribute("title"))
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try CodedModel.coordinator(model, kind)
    try context.performAndWait { () throws in
      let card = NSEntityDescription.insertNewObject(forEntityName: "Card", into: context)
      card.setValue("quiet", forKey: "title")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Card")
      request.predicate = NSPredicate(format: "title == 'QUIET'")
      #expect(try context.fetch(request) == [card])
      request.predicate = NSPredicate(format: "title == 'quiet'")
      #expect(try context.fetch(request).isEmpty)
    }
  }
}

/// Answers for its title in capitals.
final class ShoutingCard: NSManagedObject {
  override func value(forKey key: String) -> Any? {
    (super.value(forKey: key) as? String)?.uppercased() ?? super.value(forKey: key)
  }
}
