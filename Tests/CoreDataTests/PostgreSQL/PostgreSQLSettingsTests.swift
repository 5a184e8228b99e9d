import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Settings of a server or a user by which the same statements do or say something else.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLSettingsTests: PostgreSQLFolders {
  // MARK: Transactions that see one moment

  @Test func `a zone that another program made was not opened where transactions see one moment`()
    throws
  {
    let (place, name) = try namedPlace()
    _ = try stack(at: place)
    let setting = "%20-cdefault_transaction_isolation%3Dserializable&application_name="
    let text = place.absoluteString.replacing("&application_name=", with: setting)
    let serializable = try #require(URL(string: text))
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run(
      """
      BEGIN; INSERT INTO z_zones (z_zone, z_uuid, z_plist) SELECT 'home', z_uuid, z_plist FROM z_zones
      """
    )
    let failure = Mutex<String?>(nil)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do {
        _ = try stack(at: serializable, zone: "home")
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
      hasEnded.signal()
    }
    let waits = """
      SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
      """
    try BoundedWait("The program has not met the other one's zone").until {
      try !PostgreSQLShell.rows(waits, at: PostgreSQLServer.shared.address).isEmpty
    }
    try other.run("COMMIT")
    #expect(hasEnded.wait(timeout: .now() + 60) == .success)
    #expect(failure.withLock { $0 } == nil)
  }

  @Test(arguments: ["serializable", "repeatable%5C%20read"])
  func `nothing could be saved by a user whose transactions see one moment`(level: String) throws {
    let place = PostgreSQLServer.shared.place()
    let text = place.absoluteString + "%20-cdefault_transaction_isolation%3D\(level)"
    let coordinator = try stack(at: try #require(URL(string: text)))
    for name in ["Rome", "Spain"] { try saveFolder(name, in: coordinator) }
    #expect(try folderNames(coordinator).sorted() == ["Rome", "Spain"])
  }

  // MARK: Time-outs

  @Test func `a batch whose rows come too slowly was not told why it failed`() throws {
    let place = PostgreSQLServer.shared.place().absoluteString
    let text = place + "%20-cidle_in_transaction_session_timeout%3D200"
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: text)))
    try stack.work { context in
      var hasPaused = false
      let request = NSBatchInsertRequest(
        entityName: "Note",
        dictionaryHandler: { row in
          if hasPaused { return true }
          usleep(1_000_000)
          row["title"] = "late"
          hasPaused = true
          return false
        }
      )
      let error = try #require(throws: NSError.self) { try context.execute(request) }
      #expect(error.localizedFailureReason?.contains("nothing happened for too long") == true)
      #expect(try context.titles() == [])
    }
  }

  // MARK: Numbers and texts

  /// A user may have numbers written as texts with 15 digits.
  @Test(arguments: ["", "%20-cextra_float_digits%3D0"])
  func `a batch lost the digits that a floating-point number has beyond 15`(
    setting: String
  ) throws {
    let place = PostgreSQLServer.shared.place().absoluteString + setting
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: place)))
    try stack.work { context in
      let note = context.note("note")
      note.rating = 9_007_199_254_740_991
      let other = context.note("other")
      other.rating = 0.1234567890123456
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.propertiesToUpdate = [
        "views": NSExpression(forKeyPath: "rating"), "price": NSExpression(forKeyPath: "rating"),
      ]
      try context.execute(update)
      context.refreshAllObjects()
      #expect(note.views == NSNumber(value: 9_007_199_254_740_991))
      #expect(note.price == NSDecimalNumber(string: "9007199254740991"))
      #expect(other.views == NSNumber(value: 0))
      #expect(other.price == NSDecimalNumber(string: "0.1234567890123456"))
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "price - rating == 0")
      #expect(try context.count(for: request) == 2)
      let query: SQLQuery = """
        SELECT CAST(\(\Note.rating) AS TEXT) FROM \(Note.self) WHERE \(\Note.rating) < 1
        """
      #expect(try context.values(of: query, as: String.self) == ["0.1234567890123456"])
    }
  }

  @Test func `a server that reads backslashes in texts counted other letters`() throws {
    let place = PostgreSQLServer.shared.place().absoluteString
    let off = try #require(URL(string: place + "%20-cstandard_conforming_strings%3Doff"))
    let error = try #require(throws: NSError.self) {
      try NotesStack(type: NSPostgreSQLStoreType, at: off)
    }
    let reason = error.localizedFailureReason
    #expect(reason?.contains("standard_conforming_strings is off") == true, "\(error)")
    let remedy = error.localizedRecoverySuggestion
    #expect(remedy?.contains("SET standard_conforming_strings = on") == true, "\(error)")
  }
}
