// swift-format-ignore-file
import XCTest
@testable import SlipboxProject
import CoreData

final class NoteFetchTest: XCTestCase {

    var controller: PersistenceController!
    var context: NSManagedObjectContext {
        controller.container.viewContext
    }

    override func setUpWithError() throws {
        self.controller = PersistenceController.createEmpty()
    }

    override func tearDownWithError() throws {
        self.controller = nil
    }

    func test_search_term_notes() {
        let note1 = Note(title: "Tast", context: context)
        let note2 = Note(title: "Dummy", context: context)
        let searchTerm = "tas"
        let predicate = NSPredicate(format: "%K CONTAINS[cd] %@", NoteProperties.title, searchTerm as CVarArg)
        let request = Note.fetch(predicate)
        let retrievedNotes = try! context.fetch(request)
        XCTAssertTrue(retrievedNotes.count == 1)
        XCTAssertTrue(retrievedNotes.contains(note1))
        XCTAssertFalse(retrievedNotes.contains(note2))
    }

    func test_search_for_favorite_notes() {
        let note1 = Note(title: "Hello and World", context: context)
        let note2 = Note(title: "test more world", context: context)
        note2.isFavorite = true
        let predicate = NSPredicate(format: "isFavorite == true")
        let request = Note.fetch(predicate)
        let retrievedNotes = try! context.fetch(request)
        XCTAssertTrue(retrievedNotes.count == 1)
        XCTAssertFalse(retrievedNotes.contains(note1))
        XCTAssertTrue(retrievedNotes.contains(note2))
    }

    func test_fetch_notes_for_last_7_days() {
        let calendar = Calendar.current
        let beginDate = calendar.date(byAdding: .day, value: -7, to: Date())!
        let note1 = Note(title: "Hello and World", context: context)
        note1.creationDate_ = calendar.date(byAdding: .day, value: -2, to: Date())
        let note2 = Note(title: "test more world", context: context)
        note2.creationDate_ = calendar.date(byAdding: .day, value: -9, to: Date())
        let predicate = NSPredicate(format: "%K < %@",
                                     NoteProperties.creationDate,
                                     beginDate as NSDate)
        let request = Note.fetch(predicate)
        let retrievedNotes = try! context.fetch(request)
        XCTAssertTrue(retrievedNotes.count == 1)
        XCTAssertFalse(retrievedNotes.contains(note1))
        XCTAssertTrue(retrievedNotes.contains(note2))
    }

    func test_search_notes_for_folder() {
        let note1 = Note(title: "note", context: context)
        let folder = Folder(name: "folder", context: context)
        folder.notes.insert(note1)
        let predicate = NSPredicate(format: "%K == %@", NoteProperties.folder, folder)
        let request = Note.fetch(predicate)
        let retrievedNotes = try! context.fetch(request)
        XCTAssertTrue(retrievedNotes.count == 1)
        XCTAssertTrue(retrievedNotes.contains(note1))
    }

    func test_notes_without_keywords() {
        let note1 = Note(title: "note", context: context)
        let note2 = Note(title: "with keyword", context: context)
        note2.keywords.insert(Keyword(name: "key", context: context))
        let predicate = NSPredicate(format: "keywords_.@count == 0")
        let retrievedNotes = try! context.fetch(Note.fetch(predicate))
        XCTAssertTrue(retrievedNotes == [note1])
    }
}
