import CoreData
import Dispatch
import Foundation
import Synchronization

/// The replicas of a store's server, and which of them may answer a block that reads.
///
/// ```
/// a block begins ─▶ how far has the primary written?  LogPosition ─▶ which replica has replayed that?  ReplicaSearch
///      ╰ waits 20 ms at most ◀── a moment there, or none: then the primary answers ◀──╯
/// ```
///
/// Servers are asked on a thread of their own, because it is unknown beforehand which of them answers. A late answer
/// is of use to the next block: its connection stays.
final class PostgreSQLReplicas: Sendable {
  private let replicas: [PostgreSQLReplica]
  /// The primary's connections for the question how far it has written.
  private let primary: PostgreSQLPool
  private let manners = Mutex(ReplicaManners())
  /// The start of the next search, so that all replicas have something to do.
  private let turn = Atomic<Int>(0)

  init(
    _ addresses: [PostgreSQLAddress],
    of primary: PostgreSQLAddress,
    through door: PostgreSQLDoor,
    sharing shares: ConnectionShares
  ) {
    replicas = addresses.map { PostgreSQLReplica($0, through: door, limit: shares.moments) }
    self.primary = PostgreSQLPool(
      primary,
      through: door,
      limit: shares.questions,
      patience: ReplicaSearch.budget
    )
  }

  func close() {
    primary.close()
    for replica in replicas { replica.close() }
  }
}

// MARK: - For a block that begins

extension PostgreSQLReplicas {
  /// A moment at a replica that knows everything that was committed before this call; `nil` if none has one in time.
  func moment(_ mark: TablesMark) -> PostgreSQLMoment? {
    guard let search = search(from: .now) else { return nil }
    let delivery = Delivery()
    Thread.detachNewThread { [self] in delivery.bring(found(search, mark)) }
    return delivery.wait(for: ReplicaSearch.budget)
  }

  /// The replicas that are worth a question, in this read's order; `nil` if there are none.
  private func search(from now: ContinuousClock.Instant) -> ReplicaSearch? {
    guard manners.withLock({ $0.welcomes(at: now) }) else { return nil }
    let first = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    let order = replicas.indices.map { (first &+ $0) % replicas.count }
    let welcome = order.filter { replicas[$0].welcomes(at: now) }
    return welcome.isEmpty ? nil : ReplicaSearch(welcome, from: now)
  }

  private func found(_ search: ReplicaSearch, _ mark: TablesMark) -> PostgreSQLMoment? {
    guard let position = position(until: search.deadline) else { return nil }
    var search = search
    while true {
      switch search.next(at: .now) {
      case .ask(let index):
        let answer = replicas[index].moment(behind: position, mark, until: search.deadline)
        if case .moment(let moment) = answer { return moment }
        if case .behind = answer { search.wasBehind(index) }
      case .wait(let pause):
        Thread.sleep(forTimeInterval: pause.inSeconds)
      case .giveUp:
        for index in search.late { replicas[index].restAfterBeingBehind() }
        return nil
      }
    }
  }

  /// The position that the primary has written up to; `nil` if it cannot be asked, or itself follows another server.
  private func position(until deadline: ContinuousClock.Instant) -> LogPosition? {
    manners.withLock { $0.begin(until: deadline) }
    defer { manners.withLock { $0.end(until: deadline) } }
    do throws(PostgreSQLError) {
      let position = try primary.read { connection throws(PostgreSQLError) in
        try LogPosition.written(by: connection)
      }
      if position == nil { rest() }
      return position
    } catch {
      // The primary reports the error when it is asked for rows.
      if error.state != PostgreSQLError.noneFreeState { rest() }
      return nil
    }
  }

  private func rest() {
    manners.withLock { $0.rest(ReplicaManners.pauseUnfit, from: .now) }
  }
}

// MARK: - From one thread to another

/// Passes a value from one thread to another that does not wait for ever.
private final class Delivery: Sendable {
  private let state = Mutex(State.awaited)
  private let arrival = DispatchSemaphore(value: 0)

  private enum State: Sendable {
    case awaited
    case there(PostgreSQLMoment?)
    case unwanted
  }

  /// A moment that nobody waits for any more ends with this call.
  func bring(_ moment: PostgreSQLMoment?) {
    state.withLock { state in
      if case .awaited = state { state = .there(moment) }
    }
    arrival.signal()
  }

  func wait(for patience: Duration) -> PostgreSQLMoment? {
    _ = arrival.wait(timeout: .now() + patience.inSeconds)
    return state.withLock { state in
      defer { state = .unwanted }
      if case .there(let moment) = state { return moment }
      return nil
    }
  }
}
