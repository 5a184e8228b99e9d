import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Synchronization

/// Decides when a store and its server are brought to the same state, and does it on a thread of its own.
///
/// ```
/// a save of the program's      ─┐
/// news from the server         ─┼▶ the engine's thread ─▶ SyncSession ─▶ status, events
/// syncNow(), time to try again ─┘
/// ```
///
/// The data that this thread alone has is in its `EngineThread`. A second thread waits for news at the server. Apart
/// from that, nothing is sent if nothing happens.
final class SyncDriver: Sendable {
  typealias Status = NSPersistentCloudKitContainer.SyncStatus
  typealias SyncProblem = NSPersistentCloudKitContainer.SyncProblem

  let kept: KeptStore
  let framework: HostFramework
  let sidecar: String
  let zone: ZoneExchange
  private var transport: HTTPTransport { zone.transport }
  private let current: Mutex<Status>
  private let telling = Mutex(())
  let wishes = Wishes()
  /// The number of the last change that the store has, which the second thread compares with the server's.
  private let position = Mutex<UInt64?>(nil)
  /// Whether the last exchange has met something that does not pass by itself, as far as the answer says.
  private let isHindered = Mutex(false)

  /// Prepares the exchange of a store, whose status was this when it was exchanged last.
  ///
  /// - Throws: A `SyncProblem` if the store does not have a file, or the address cannot be understood.
  init(
    _ kept: KeptStore,
    status: Status = Status(),
    framework: HostFramework = .current,
    over connect: @escaping HTTPTransport.Connecting = HTTPTransport.connection
  ) throws {
    guard let path = kept.path else {
      throw SyncProblem(
        "A store without a file cannot be kept in step; use a SQLite store.",
        isTemporary: false
      )
    }
    let address = try SyncAddress.read(kept.address)
    self.kept = kept
    self.framework = framework
    sidecar = SyncSession.sidecar(ofStoreAt: path)
    zone = ZoneExchange(address, parts: SyncSession.parts(ofStoreAt: path), over: connect)
    var status = status
    status.isEncrypted = address.key != nil
    current = Mutex(status)
  }

  var status: Status { current.withLock { $0 } }

  func start() {
    wishes.follow(kept)
    wishes.add(.exchange)
    wishes.run("CoreDataSync") { [self] in EngineThread.run(for: self) }
    wishes.run("CoreDataSync news") { [self] in listen() }
  }

  func stop() {
    transport.cancel()
    wishes.stop()
  }

  func leave() {
    transport.cancel()
    wishes.stop(within: .seconds(1))
  }

  func synchronize(_ completion: @escaping @Sendable (SyncProblem?) -> Void) {
    wishes.add(.exchange, completion)
  }
}

// MARK: - The thread that waits for news

extension SyncDriver {
  private func listen() {
    var asksUntil = ContinuousClock.now
    var asked: UInt64?
    while !wishes.hasStopped {
      waitWhile { position.withLock { $0 } == nil || status.isActive }
      guard let known = position.withLock({ $0 }) else { continue }
      do {
        if ContinuousClock.now < asksUntil {
          let head = try transport.news(after: known, seconds: 25)
          note(head: head)
          // If the exchange fails, the same is news again at once.
          if head != known, head == asked { wishes.pause(seconds: 2) }
          asked = head
        } else if try transport.listen(heard: { head in
          note(head: head)
          return !wishes.hasStopped
        }) {
          // Something that ends each answer early is not asked without end.
          wishes.pause(seconds: 0.5)
        } else {
          // Something holds back answers that do not end: for a while it is asked again and again.
          asksUntil = .now + Self.asking
        }
      } catch let refusal as TooManyWaiting {
        // Asking without waiting needs no place among them.
        if let head = try? transport.news(after: known, seconds: 0) { note(head: head) }
        change { if !$0.isActive { $0.problem = $0.problem ?? refusal.problem } }
        wishes.pause(seconds: Self.pauseWithoutPlace)
      } catch {
        // A token that was revoked stays so; changes of the program are tried at once all the same.
        let isFinal = (error as? SyncProblem)?.isTemporary == false
        wishes.pause(seconds: isFinal ? 60 : 2)
      }
    }
  }

  /// Waits while something is so, and looks ever less often.
  private func waitWhile(_ condition: () -> Bool) {
    var seconds = 0.002
    while !wishes.hasStopped, condition() {
      wishes.pause(seconds: seconds)
      seconds = min(2 * seconds, 0.5)
    }
  }

  /// For how long nothing is expected of a stream that told nothing.
  private static let asking = Duration.seconds(600)

  /// The seconds between two questions of a device that finds no place among those who wait.
  private static let pauseWithoutPlace: Double = 30

  /// Exchanges changes if the server has others than the store, and if it had refused everything: it answers now.
  private func note(head: UInt64) {
    // Cells that are sent from here are news too, until the exchange has ended.
    waitWhile { status.isActive }
    let isHindered = isHindered.withLock { value in
      defer { value = false }
      return value
    }
    guard isHindered || head != position.withLock({ $0 }) else { return }
    wishes.add(.exchange)
    wishes.pause(seconds: 0.02)
  }
}

extension NSPersistentCloudKitContainer.SyncProblem {
  init(of error: any Error) {
    let known = (error as? ChangesRefused)?.problem ?? error as? Self
    self = known ?? Self("\(error)", isTemporary: !Self.isOfModel(error))
  }

  /// Whether the model cannot be kept in step; the program does not have another while it runs.
  private static func isOfModel(_ error: any Error) -> Bool {
    if case SyncFailure.unusableModel = error { true } else { false }
  }
}

// MARK: - Telling

extension SyncDriver {
  /// Notes the number of the last change that the store has.
  func note(position number: UInt64) { position.withLock { $0 = number } }

  func note(isHindered value: Bool) { isHindered.withLock { $0 = value } }

  func change(_ body: (inout Status) -> Void) {
    let isNew = current.withLock { status in
      let before = status
      body(&status)
      return status != before
    }
    // Whatever another thread has reported meanwhile, the last report is the latest status.
    if isNew { telling.withLock { _ in kept.reportStatus(self.status) } }
  }

  /// Does something between the two reports of an event.
  func reporting<Result>(
    _ type: SyncedStore.EventType,
    _ work: () throws -> Result
  ) throws -> Result {
    let end = begin(type)
    do {
      let result = try work()
      end(nil)
      return result
    } catch {
      end(SyncProblem(of: error))
      throw error
    }
  }

  /// Reports that an event has begun; the returned closure reports its end, and the problem.
  func begin(_ type: SyncedStore.EventType) -> (SyncProblem?) -> Void {
    let (id, begun) = (UUID(), Date())
    func report(_ end: Date?, _ problem: SyncProblem?) {
      kept.reportEvent(
        SyncedStore.Event(id: id, type: type, startDate: begun, endDate: end, problem: problem)
      )
    }
    report(nil, nil)
    return { report(Date(), $0) }
  }
}
