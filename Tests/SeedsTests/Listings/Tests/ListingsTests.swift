// swift-format-ignore-file
import CoreData
import XCTest

/// The output and the effects of the listings, as the documents state them.
final class BookStoreTests: XCTestCase {
    private func store() throws -> BookStore {
        let location = try XCTUnwrap(Bundle.module.url(forResource: "BookStore", withExtension: "momd"))
        let model = try XCTUnwrap(NSManagedObjectModel(contentsOf: location))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let store = BookStore(managedObjectContext: context)
        store.initStore()
        return store
    }

    func test_all_books_are_shown() throws {
        let lines = try store().showExampleData(nil).sorted()
        XCTAssertEqual(
            lines,
            ["Title: The first book, price: 10.00", "Title: The second book, price: 15.00", "Title: The third book, price: 10.00"]
        )
    }

    func test_both_ways_to_write_a_predicate_find_the_first_book() throws {
        let store = try store()
        let expected = ["Title: The first book, price: 10.00"]
        XCTAssertEqual(store.showExampleData(NSPredicate(format: "title='The first book'")), expected)
        XCTAssertEqual(store.showExampleData(store.predicateOfObjects()), expected)
    }

    func test_a_fetched_property_finds_the_bargains() throws {
        XCTAssertEqual(
            Set(try store().showBargains()),
            [
                "Bargains for category: Biography", "Title: The third book, price: 10.00",
                "Bargains for category: Fiction", "Title: The first book, price: 10.00",
            ]
        )
    }

    func test_filling_the_store_again_leaves_three_books() throws {
        let store = try store()
        store.initStore()
        XCTAssertEqual(store.showExampleData(nil).count, 3)
    }
}

final class NotesListTests: XCTestCase {
    func test_notes_are_fetched_with_the_newest_first() throws {
        let manager = CoreDataManager(modelName: "Notes")
        for day in 1...3 {
            let note = Note(context: manager.managedObjectContext)
            note.title = "\(day)"
            note.updatedAt = Date(timeIntervalSinceReferenceDate: TimeInterval(day) * 86_400)
        }
        let list = NotesList(coreDataManager: manager)
        XCTAssertFalse(list.hasNotes)
        list.fetchNotes()
        XCTAssertTrue(list.hasNotes)
        XCTAssertEqual(list.notes?.map(\.title), ["3", "2", "1"])
        XCTAssertEqual(list.notes?.first?.updatedAtAsDate, Date(timeIntervalSinceReferenceDate: 3 * 86_400))
    }

    func test_a_change_of_the_category_is_noticed() throws {
        let manager = CoreDataManager(modelName: "Notes")
        let context = manager.managedObjectContext
        let note = Note(context: context)
        let category = Category(context: context)
        category.name = "Ideas"
        try context.save()
        let list = NotesList(coreDataManager: manager, note: note)
        note.category = category
        context.processPendingChanges()
        XCTAssertEqual(list.categoryName, "Ideas")
        XCTAssertEqual(category.notes, NSSet(object: note))
    }
}

final class SavedColoursTests: XCTestCase {
    func test_a_colour_goes_into_its_entity_and_comes_back() throws {
        let location = try XCTUnwrap(Bundle.module.url(forResource: "SavedColours", withExtension: "momd"))
        let model = try XCTUnwrap(NSManagedObjectModel(contentsOf: location))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var sea = NamedColor(name: "Sea", color: Color(red: 0, green: 0.25, blue: 0.75))
        let entity = NamedColorEntity.createInManagedObjectContext(moc: context, namedColor: &sea)
        try context.save()
        let back = try XCTUnwrap(NamedColorEntity.createInstanceFromEntity(entity: entity))
        XCTAssertEqual(back.color, sea.color)
        sea.name = "Lake"
        XCTAssertEqual(entity.colorName, "Lake")
        XCTAssertFalse(context.hasChanges)
    }
}
