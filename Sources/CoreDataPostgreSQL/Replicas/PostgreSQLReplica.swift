import CoreData
import Foundation
import Synchronization

/// A server that follows the store's, its connections, and how it has behaved.
final class PostgreSQLReplica: Sendable {
  private let pool: PostgreSQLPool
  private let conduct = Mutex(Conduct())

  private struct Conduct: Sendable {
    var manners = ReplicaManners()
    /// The misfit that was logged last, so that it is logged once.
    var told: ReplicaFitness.Misfit?
  }

  /// The answer to the request for a moment.
  enum Answer {
    case moment(PostgreSQLMoment)
    case behind
    case none
  }

  init(_ address: PostgreSQLAddress, through door: PostgreSQLDoor, limit: Int) {
    pool = .ofMoments(at: address, through: door, limit: limit, patience: .zero)
  }

  func welcomes(at now: ContinuousClock.Instant) -> Bool {
    conduct.withLock { $0.manners.welcomes(at: now) }
  }

  func restAfterBeingBehind() {
    conduct.withLock { $0.manners.rest(ReplicaManners.pauseBehind, from: .now) }
  }

  func close() {
    pool.close()
  }
}

// MARK: - Asking

extension PostgreSQLReplica {
  /// A moment at which everything is known that stood in the primary's log up to a position.
  func moment(
    behind position: LogPosition,
    _ mark: TablesMark,
    until deadline: ContinuousClock.Instant
  ) -> Answer {
    conduct.withLock { $0.manners.begin(until: deadline) }
    defer { conduct.withLock { $0.manners.end(until: deadline) } }
    do throws(PostgreSQLError) {
      return answer(try begun(position, mark, until: deadline))
    } catch {
      if error.state == PostgreSQLError.noneFreeState { return .none }
      if ReplicaState.isRefusal(error) { return .behind }
      let migrates = error.state == "55P03" || error.state == PostgreSQLError.otherModelState
      return answer(.unfit(migrates ? .migrates : .cannotBeAsked(error.message)))
    }
  }

  private enum Beginning {
    case begun(PostgreSQLMoment)
    case refused(ReplicaFitness)
  }

  private func answer(_ beginning: Beginning) -> Answer {
    switch beginning {
    case .begun(let moment):
      conduct.withLock { $0.told = nil }
      return .moment(moment)
    case .refused(let fitness): return answer(fitness)
    }
  }

  private func answer(_ fitness: ReplicaFitness) -> Answer {
    switch fitness {
    case .knowsAll, .behind: return .behind
    case .unfit(let misfit):
      let isNew = conduct.withLock { conduct in
        conduct.manners.rest(ReplicaManners.pauseUnfit, from: .now)
        defer { conduct.told = misfit }
        return conduct.told != misfit
      }
      if isNew { tell(misfit) }
      return .none
    }
  }

  /// A connection that waited for its next moment may have been lost since.
  private func begun(
    _ position: LogPosition,
    _ mark: TablesMark,
    until deadline: ContinuousClock.Instant
  ) throws(PostgreSQLError) -> Beginning {
    do throws(PostgreSQLError) {
      return try begunOnce(position, mark)
    } catch {
      guard error.isLoss, ContinuousClock.now < deadline else { throw error }
      pool.forgetIdle()
      return try begunOnce(position, mark)
    }
  }

  /// The moment begins behind the answer, so that it sees no less than that has said.
  private func begunOnce(
    _ position: LogPosition,
    _ mark: TablesMark
  ) throws(PostgreSQLError) -> Beginning {
    let connection = try pool.take()
    do throws(PostgreSQLError) {
      let state = try ReplicaState(of: connection)
      let fitness = position.fitness(of: state)
      guard fitness == .knowsAll else {
        pool.giveBack(connection)
        return .refused(fitness)
      }
      try connection.run(
        plain: PostgreSQLMoment.beginning(mark, waits: false) + "; " + state.checkOfServer
      )
      return .begun(PostgreSQLMoment(begunOn: connection, of: pool, atReplica: true))
    } catch {
      pool.giveBack(connection)
      throw error
    }
  }
}

// MARK: - Telling

extension PostgreSQLReplica {
  /// Logs why a replica is of no use, if that does not pass by itself.
  private func tell(_ misfit: ReplicaFitness.Misfit) {
    let reason: String
    switch misfit {
    case .isNoReplica: reason = "it follows no other server"
    case .hasOtherTables: reason = "it is not a replica of the store's database"
    case .cannotBeAsked(let words): reason = words
    case .isOnAnotherTimeline, .migrates: return
    }
    ProgramLog.say(
      """
      warning: the replica \(pool.address) is not read, and the store's own server answers: \
      \(reason.asSentence)
      """
    )
  }
}
