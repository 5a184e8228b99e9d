import CoreData
import CoreDataPostgreSQL
import CoreDataSyncServer

/// A PostgreSQL database that several servers may use at once: its connections, each lent to one thread.
final class SyncDatabase: Sendable {
  private let pool: PostgreSQLPool
  /// Takes sentences for the server's owner.
  private let report: @Sendable (String) -> Void

  init(
    _ address: PostgreSQLAddress,
    connections: Int,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.report = report
    let door = PostgreSQLDoor { address throws(PostgreSQLError) in
      try PostgreSQLShell.connect(address)
    }
    pool = PostgreSQLPool(address, through: door, limit: connections)
  }

  deinit {
    pool.close()
  }
}

extension SyncDatabase {
  /// Works in one transaction, whose statements have the name of the zone as `$1`.
  ///
  /// An error that `work` throws rolls back everything. If the connection is lost at the end, it is unknown whether the
  /// transaction was committed; every request may be repeated.
  func transact<Result>(
    on zone: String,
    _ work: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    do {
      let connection = try begun()
      defer { pool.giveBack(connection) }
      connection.zone = zone
      return try finishing(connection, work)
    } catch let error as PostgreSQLError {
      if error.isOfAnAbsentServer { throw ServiceRefusal.absentDatabase }
      if error.state == PostgreSQLError.fullDiskState { throw ServiceRefusal.fullDisk }
      report("The database has refused what a device asked for: \(error)")
      throw ServiceRefusal.refusedByDatabase(error.state)
    }
  }

  private func finishing<Result>(
    _ connection: PostgreSQLConnection,
    _ work: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    do {
      let result = try work(connection)
      try connection.run(plain: "COMMIT")
      return result
    } catch {
      // The first failure is the one to report, and a connection that is still in a transaction is not lent again.
      if connection.isInTransaction { try? connection.run(plain: "ROLLBACK") }
      throw error
    }
  }

  /// A connection in a new transaction; another one where the server has ended those that waited.
  private func begun() throws(PostgreSQLError) -> PostgreSQLConnection {
    do throws(PostgreSQLError) {
      return try begunOnce()
    } catch {
      guard error.isLoss, !error.isSilence else { throw error }
      pool.forgetIdle()
      return try begunOnce()
    }
  }

  private func begunOnce() throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try pool.take()
    do throws(PostgreSQLError) {
      // Data that a device was told about is on the disk, whatever the server's usual setting.
      try connection.run(
        plain: "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on"
      )
      return connection
    } catch {
      pool.giveBack(connection)
      throw error
    }
  }
}

extension PostgreSQLError {
  /// The same may go through in a moment.
  fileprivate var isOfAnAbsentServer: Bool { isLoss || isCrowd || state == Self.noneFreeState }

  fileprivate static let fullDiskState = "53100"
}

extension ServiceRefusal {
  // The database's place and its messages are for the server's owner.
  fileprivate static let absentDatabase = ServiceRefusal(
    503,
    "The server's database does not answer at the moment. Changes wait, and are sent in a moment."
  )

  fileprivate static func refusedByDatabase(_ state: String) -> ServiceRefusal {
    ServiceRefusal(
      500,
      "The server's database has refused this (\(state)). The server has told its owner why."
    )
  }
}

// MARK: - Statements

extension PostgreSQLConnection {
  /// Runs a statement with numbers for the places from `$2` on, and then a column of many values for each place.
  func rows(
    _ sql: String,
    _ numbers: [Int64],
    _ columns: [PostgreSQLArray]
  ) throws(PostgreSQLError) -> any PostgreSQLRows {
    var values = PostgreSQLValues()
    values.append(text: zone)
    for number in numbers { values.append(text: String(number)) }
    for column in columns { values.append(column) }
    let types = numbers.map { _ in PostgreSQLType.int64 } + columns.map(\.type)
    return try run([PostgreSQLRequest(sql: sql, types: types, values: values)])[0]
  }
}

extension PostgreSQLRows {
  /// A number of eight bytes.
  func integer(_ row: Int32, _ column: Int32) -> Int64 {
    guard let bytes = bytes(row, column), bytes.count == 8 else { return 0 }
    return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
  }
}

extension PostgreSQLArray {
  static func numbers(_ numbers: some Sequence<UInt64>) -> PostgreSQLArray {
    var array = PostgreSQLArray(of: PostgreSQLType.int64)
    for number in numbers { array.append(Int64(bitPattern: number)) }
    return array
  }

  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }
}
