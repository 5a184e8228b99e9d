import CoreDataSyncCrypto
import CoreDataSyncPostgreSQL
import Foundation
import TestSupport

@testable import CoreDataSyncServer

/// The databases in which a server keeps its zones.
enum StorageKind: String, CaseIterable, Sendable {
  case sqlite
  case postgreSQL

  /// Those that this machine has.
  static var tested: [StorageKind] {
    allCases.filter { $0 != .postgreSQL || PostgreSQLServer.isInstalled }
  }
}

/// A place for a server's zones, in which nothing is yet.
struct StoragePlace {
  let kind: StorageKind
  let folder: URL
  /// The database, if it is one.
  let database: URL?

  init(_ kind: StorageKind) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
    switch kind {
    case .sqlite:
      database = nil
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    case .postgreSQL: database = PostgreSQLServer.shared.place()
    }
  }

  /// Removes the files; a database goes with its server.
  func remove() {
    // There may be none.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The storage, as one more run of a server opens it.
  func open() throws -> ServerStorage {
    if let database { return try ServerStorage.postgreSQL(at: database) }
    return try ServerStorage(path: folder.appending(path: "zones.sqlite").path, isDurable: false)
  }
}

extension AssetStorage {
  func take(
    _ part: [UInt8],
    of asset: AssetReference,
    from start: Int?,
    zone: String
  ) throws -> Int {
    try take(part, of: asset, from: start, zone: zone) { _ in }
  }
}
