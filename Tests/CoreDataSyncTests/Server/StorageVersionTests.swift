import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL
@testable import CoreDataSyncServer

/// Storages of older and newer servers.
struct StorageVersionTests {
  @Test(
    "what a newer server keeps was used as if it were this one's",
    arguments: StorageKind.tested
  )
  func newer(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    _ = try place.open()
    try place.setVersion(StorageVersion.current + 1)
    let refusal = #expect(throws: ServiceRefusal.self) { try place.open() }
    #expect(refusal?.sentence.contains("Update coredata on this machine") == true)
    try place.setVersion(StorageVersion.current)
    _ = try place.open()
  }

  @Test(
    "what a server of before there were versions keeps is brought up, with all that is in it",
    arguments: StorageKind.tested
  )
  func older(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let text = try TokenBook(try place.open().tokens).make(zone: "Notes", .read, label: "", at: 1)
    try place.forgetVersion()
    for _ in 0..<2 {
      let token = try TokenBook(try place.open().tokens).token(text)
      #expect(token?.zone == "Notes")
    }
    #expect(try place.version == StorageVersion.current)
  }
}

extension StoragePlace {
  private func connection() throws -> Connection {
    try Connection(path: folder.appending(path: "zones.sqlite").path)
  }

  fileprivate func setVersion(_ number: Int64) throws {
    if let database {
      try PostgreSQLShell.run("UPDATE sync_version SET number = \(number)", at: database)
    } else {
      try connection().run("PRAGMA user_version = \(number)" as String)
    }
  }

  fileprivate func forgetVersion() throws {
    if let database {
      try PostgreSQLShell.run("DROP TABLE sync_version", at: database)
    } else {
      try connection().run("PRAGMA user_version = 0" as String)
    }
  }

  /// The version in the storage.
  fileprivate var version: Int64? {
    get throws {
      if let database {
        // Fails if there is none, or another one.
        let number = StorageVersion.current
        try PostgreSQLShell.run(
          "DO $$ BEGIN ASSERT (SELECT number FROM sync_version) = \(number); END $$",
          at: database
        )
        return number
      }
      return try connection().integer("PRAGMA user_version" as SQLFragment)
    }
  }
}
