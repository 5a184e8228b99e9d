import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Plan, perform, adopt: whatever goes wrong in a save, nothing in memory and nothing in the file has
/// changed, and the next save does it all.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct RefusedStatementTests {
  /// If another program has written in between, a statement more asks for the last key.
  @Test(arguments: [false, true])
  func `the n-th statement fails, for every n`(afterOthers: Bool) throws {
    let reference = try UnsavedChanges()
    try reference.context.performAndWait { try reference.context.save() }
    let finished = try reference.filePicture()
    var place = 1
    while try refusing(place, finished: finished, afterOthers: afterOthers) { place += 1 }
    #expect(place > 20)
  }

  /// Whether there was such a statement.
  private func refusing(
    _ place: Int,
    finished: [String],
    afterOthers: Bool
  ) throws -> Bool {
    let changes = try UnsavedChanges()
    if afterOthers { try changes.othersWrite() }
    let (memory, file) = (changes.contextPicture, try changes.filePicture())
    let pool = try #require(changes.stack.coordinator.pool)
    let refusal = Refusal(ofStatement: place)
    pool.observe { sql throws(SQLiteError) in try refusal.observe(sql) }
    let error = changes.context.performAndWait { () -> NSError? in
      do { try changes.context.save() } catch { return error as NSError }
      return nil
    }
    pool.observe(nil)
    if !refusal.happened {
      #expect(error == nil)
      return false
    }
    #expect(error?.code == CocoaError.fileWriteOutOfSpace.rawValue, "statement \(place)")
    #expect(changes.contextPicture == memory, "statement \(place)")
    #expect(try changes.filePicture() == file, "statement \(place)")
    try changes.context.performAndWait {
      try changes.context.save()
      #expect(!changes.context.hasChanges)
    }
    #expect(try changes.filePicture() == finished, "statement \(place)")
    return true
  }

  @Test(arguments: [(false, 3), (true, 4)])
  func `reserving identities that fails reserves nothing`(
    afterOthers: Bool,
    statements: Int
  ) throws {
    for place in 1...statements {
      let changes = try UnsavedChanges()
      if afterOthers { try changes.othersWrite() }
      let file = try changes.filePicture()
      let pool = try #require(changes.stack.coordinator.pool)
      let refusal = Refusal(ofStatement: place)
      pool.observe { sql throws(SQLiteError) in try refusal.observe(sql) }
      changes.context.performAndWait {
        let new = Note(context: changes.context)
        #expect(throws: CocoaError.self) {
          try changes.context.obtainPermanentIDs(for: [new])
        }
        #expect(new.objectID.isTemporaryID)
      }
      pool.observe(nil)
      #expect(try changes.filePicture() == file)
    }
  }
}
