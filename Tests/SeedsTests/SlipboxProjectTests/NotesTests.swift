// swift-format-ignore-file
import XCTest
@testable import SlipboxProject
import CoreData

final class NotesTests: XCTestCase {

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

    func test_Notes_CreationDate() {
        let note = Note(context: context)
        let noteConvenient = Note(title: "new", context: context)
        XCTAssertNotNil(note.creationDate, "notes should have creationDate property")
        XCTAssertNotNil(noteConvenient.creationDate)
    }

    func test_Notes_Updating_Title() {
        let note = Note(title: "old", context: context)
        // Update the Note's title
        note.title = "new"
        XCTAssertTrue(note.title == "new")
    }

    func test_Asynchronous_Save() {
      expectation(forNotification: .NSManagedObjectContextDidSave, object: context) { _ in
            return true
        }
        _ = Note(title: "default note", context: context) // Swift 5: a variable that is not used is a warning
        controller.save()
        waitForExpectations(timeout: 2.0) { error in
            XCTAssertNil(error, "saving did not complete")
        }
    }

    func test_IsFavorite_Default_Value() {
        let note = Note(title: "default note", context: context)
        XCTAssertFalse(note.isFavorite, "note is per default not favorite")
    }
}
