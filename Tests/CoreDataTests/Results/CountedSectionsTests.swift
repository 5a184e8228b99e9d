import TestSupport
import Testing

@testable import CoreData

/// Sections of results that are read in batches.
@Suite struct CountedSectionsTests {
  private func controller(
    _ context: NSManagedObjectContext,
    batchSize: Int = 10,
    ascending: Bool = true,
    selector: Selector? = nil
  ) -> NSFetchedResultsController<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [
      selector.map { NSSortDescriptor(key: "text", ascending: ascending, selector: $0) }
        ?? NSSortDescriptor(key: "text", ascending: ascending),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    request.fetchBatchSize = batchSize
    return NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: "text",
      cacheName: nil
    )
  }

  /// Two hundred notes in five sections, one of them without a text.
  private func fill(_ stack: NotesStack) throws {
    try stack.work { context in
      for index in 0..<200 {
        let note = context.note("N\(1000 + index)")
        if index % 5 > 0 { note.text = "section \(index % 5)" }
      }
      try context.save()
    }
  }

  private func picture(_ controller: NSFetchedResultsController<Note>) -> [String] {
    (controller.sections ?? []).map { section in
      let titles = (section.objects as? [Note] ?? []).map { $0.title ?? "-" }
      return "\(section.name) \(titles.joined(separator: " "))"
    }
  }

  @Test(arguments: [true, false])
  func `the store counts the sections, in three statements for any number of objects`(
    ascending: Bool
  ) throws {
    let stack = try NotesStack(.sqlite)
    try fill(stack)
    let expected = try stack.work { context in
      let controller = controller(context, batchSize: 0, ascending: ascending)
      try controller.performFetch()
      return picture(controller)
    }
    #expect(expected.count == 5)
    // Another coordinator does not have rows of these objects.
    let other = try NotesStack(reopening: #require(stack.file))
    try other.work { context in
      let controller = controller(context, ascending: ascending)
      let log = StatementLog(other.coordinator)
      let statements = try log.during { try controller.performFetch() }
      #expect(statements.count == 3, "\(statements)")
      #expect(statements.count { $0.contains("GROUP BY") } == 1)
      #expect(controller.fetchedObjects?.count { !$0.isFault } == 10)
      #expect(picture(controller) == expected)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an order that mixes sections is refused as before`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for (title, text) in [("1", "a"), ("2", "A"), ("3", "a")] {
        context.note(title).text = text
      }
      try context.save()
    }
    try stack.work { context in
      let controller = controller(context, selector: Selector("caseInsensitiveCompare:"))
      #expect(errorCode { try controller.performFetch() } == 134_060)
    }
  }

  @Test(arguments: StoreKind.allCases, [["A", "a"], ["a", "A"]])
  func `sections that the order mixes were taken for whole where their ends were right`(
    kind: StoreKind,
    names: [String]
  ) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for index in 0..<6 { context.note("\(index)").text = names[index % 2] }
      try context.save()
    }
    try stack.work { context in
      let controller = controller(context, selector: Selector("caseInsensitiveCompare:"))
      #expect(errorCode { try controller.performFetch() } == 134_060)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `no text and an empty one are one section`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for (title, text) in [("1", nil), ("2", ""), ("3", "b")] {
        context.note(title).text = text
      }
      try context.save()
    }
    try stack.work { context in
      let controller = controller(context)
      try controller.performFetch()
      #expect(picture(controller) == [" 1 2", "b 3"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `unsaved changes are counted by their values`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try fill(stack)
    try stack.work { context in
      context.note("new").text = "section 9"
      let controller = controller(context)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name).last == "section 9")
    }
  }
}
