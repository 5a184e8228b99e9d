import CoreData
import Foundation
import Synchronization

/// The connections of one store, lent to one thread each.
///
/// A connection is opened when all that are there are lent, up to a limit; behind it callers wait, and give up
/// after a while. One that was lost is not lent again.
package final class PostgreSQLPool: Sendable {
  let address: PostgreSQLAddress
  private let door: PostgreSQLDoor
  private let limit: Int
  /// How many connections that nobody uses are kept.
  private let mostIdle: Int
  /// How long a caller waits for a connection that others have.
  private let patience: Duration
  private let free: DispatchSemaphore
  private let connections = Mutex(Connections())

  private struct Connections: Sendable {
    var idle: [Handover<PostgreSQLConnection>] = []
    var isClosed = false
  }

  package static let usualLimit = 8

  package init(
    _ address: PostgreSQLAddress,
    through door: PostgreSQLDoor,
    limit: Int = usualLimit,
    mostIdle: Int? = nil,
    patience: Duration? = nil
  ) {
    self.address = address
    self.door = door
    self.limit = limit
    self.mostIdle = mostIdle ?? limit
    self.patience = patience ?? address.patienceInLine
    free = DispatchSemaphore(value: limit)
  }
}

// MARK: - Lending

extension PostgreSQLPool {
  /// Takes a connection, which must be given back.
  package func take() throws(PostgreSQLError) -> PostgreSQLConnection {
    if free.wait(timeout: .now()) != .success { try waitInLine() }
    do throws(PostgreSQLError) {
      if let connection = try idle() { return connection }
      return try opened()
    } catch {
      free.signal()
      throw error
    }
  }

  private func waitInLine() throws(PostgreSQLError) {
    let start = ContinuousClock.now
    guard free.wait(timeout: .now() + patience.inSeconds) == .success else {
      throw .noneFree(of: limit, after: patience)
    }
    guard MeterHub.isOn, let store = URL(string: StoreAddress.shown(address.url)) else { return }
    // The pool does not know whether its caller will write.
    MeterHub.ofProcess.waited(ContinuousClock.now - start, toWrite: false, at: store)
  }

  package func giveBack(_ connection: PostgreSQLConnection) {
    if !connection.wire.isLost, !connection.isInTransaction {
      let handover = Handover(connection)
      connections.withLock { connections in
        if !connections.isClosed, connections.idle.count < mostIdle {
          connections.idle.append(handover)
        }
      }
    }
    free.signal()
  }

  /// Runs something that only reads; once more, on another connection, if the first was lost.
  func read<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    do throws(PostgreSQLError) {
      return try once(body)
    } catch {
      guard error.isLoss && !error.isSilence || error.isStalePlan else { throw error }
      if error.isLoss { forgetIdle() }
      return try once(body)
    }
  }

  /// Runs something once.
  func once<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    let connection = try take()
    defer { giveBack(connection) }
    return try body(connection)
  }

  /// A server that restarts ends all its connections: none that waits is of use.
  package func forgetIdle() {
    connections.withLock { $0.idle = [] }
  }

  package func close() {
    connections.withLock { connections in
      connections.isClosed = true
      connections.idle = []
    }
  }

  private func idle() throws(PostgreSQLError) -> PostgreSQLConnection? {
    let (found, isClosed) = connections.withLock { ($0.idle.popLast(), $0.isClosed) }
    if isClosed { throw PostgreSQLError(state: "08003", message: "the store is closed") }
    return found?.value
  }

  private func opened() throws(PostgreSQLError) -> PostgreSQLConnection {
    PostgreSQLConnection(
      try door.open(address),
      zone: address.zone,
      namesStatements: !address.isLentByTransaction,
      measuredAs: URL(string: StoreAddress.shown(address.url))
    )
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension PostgreSQLError {
  fileprivate static func noneFree(of limit: Int, after patience: Duration) -> PostgreSQLError {
    let connections = limit == 1 ? "the one connection was" : "all \(limit) connections were"
    return PostgreSQLError(
      state: noneFreeState,
      message: "\(connections) in use for \(patience)"
    )
  }
}
