import CoreData
import TestSupport
import Testing

/// SwiftUI's wrappers without SwiftUI.
@Suite struct FetchRequestTests {
  private final class Shelf {
    @FetchRequest(sortDescriptors: [SortDescriptor(\Note.title)])
    var notes: FetchedResults<Note>

    @SectionedFetchRequest(
      sectionIdentifier: \Note.stars,
      sortDescriptors: [SortDescriptor(\Note.stars), SortDescriptor(\Note.title)]
    )
    var sections: SectionedFetchResults<Int16, Note>

    init(_ context: NSManagedObjectContext) {
      $notes.attach(to: context)
      $sections.attach(to: context)
    }

    var titles: [String] { notes.map { $0.title ?? "–" } }

    var picture: String {
      sections
        .map { section in
          "\(section.id): \(section.map { $0.title ?? "–" }.joined(separator: ", "))"
        }
        .joined(separator: " | ")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a property has the objects as they are now`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let notes = ["B", "A"].map { context.note($0) }
      try context.save()
      let shelf = Shelf(context)
      #expect(shelf.titles == ["A", "B"])
      #expect(shelf.notes.count == 2 && shelf.notes[1] === notes[0])
      context.note("C").stars = 2
      notes[0].title = "Z"
      context.processPendingChanges()
      #expect(shelf.titles == ["A", "C", "Z"])
      #expect(shelf.picture == "0: A, Z | 2: C")
      context.delete(notes[1])
      try context.save()
      #expect(shelf.titles == ["C", "Z"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `predicate and order can be changed`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      for (index, title) in ["A", "B", "C"].enumerated() {
        context.note(title).stars = Int16(index)
      }
      try context.save()
      let shelf = Shelf(context)
      #expect(shelf.titles == ["A", "B", "C"])
      #expect(shelf.notes.sortDescriptors == [SortDescriptor(\Note.title)])
      shelf.notes.nsPredicate = NSPredicate(format: "stars > 0")
      #expect(shelf.titles == ["B", "C"])
      shelf.notes.sortDescriptors = [SortDescriptor(\Note.title, order: .reverse)]
      #expect(shelf.titles == ["C", "B"])
      shelf.notes.nsSortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect(shelf.titles == ["B", "C"])
      #expect(shelf.notes.sortDescriptors == [])
      shelf.sections.nsPredicate = NSPredicate(format: "stars < 2")
      #expect(shelf.picture == "0: A | 1: B")
    }
  }

  @Test func `a fetch that fails says why and leaves the results`() throws {
    try NotesStack(.sqlite).work { context in
      context.note("A").stars = 1
      try context.save()
      let shelf = Shelf(context)
      #expect(shelf.titles == ["A"])
      #expect(shelf.$notes.error == nil)
      shelf.notes.nsPredicate = NSPredicate { _, _ in true }
      #expect((shelf.$notes.error as NSError?)?.code == 134_091)
      #expect(shelf.titles == ["A"])
      shelf.notes.nsPredicate = NSPredicate(format: "stars > 3")
      #expect(shelf.$notes.error == nil)
      #expect(shelf.titles == [])
    }
  }

  @Test func `an order that is not by section is an error (100)`() throws {
    try NotesStack().work { context in
      for (title, stars) in [("A", 1), ("B", 2), ("C", 1)] {
        context.note(title).stars = Int16(stars)
      }
      let shelf = Shelf(context)
      #expect(shelf.picture == "1: A, C | 2: B")
      shelf.sections.nsSortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      #expect((shelf.$sections.error as NSError?)?.code == 134_060)
      #expect(shelf.picture == "1: A, C | 2: B")
    }
  }

  @Test func `a property without a context stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let request = FetchRequest<Note>(sortDescriptors: [SortDescriptor(\Note.title)])
      _ = request.wrappedValue
    }
    #expect(result.says("has no context; give it one with in:, or call attach(to:)"))
  }

  @Test(arguments: StoreKind.allCases)
  func `the results come back after a reset`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      context.note("A")
      try context.save()
      let shelf = Shelf(context)
      #expect(shelf.titles == ["A"])
      context.reset()
      #expect(shelf.titles == ["A"])
      context.note("B")
      context.processPendingChanges()
      #expect(shelf.titles == ["A", "B"])
    }
  }
}
