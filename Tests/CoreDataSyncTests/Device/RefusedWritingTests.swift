import CoreData
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSyncDevice

struct RefusedWritingTests {
  private func refused(_ reason: ChangesRefused.Reason) -> ChangesRefused {
    ChangesRefused(reason: reason, problem: .init("The zone is full.", isTemporary: true))
  }

  @Test("a device that was refused once by somebody between never sent anything again")
  func secondTry() {
    let now = ContinuousClock.now
    var refusal = RefusedWriting()
    #expect(refusal.isOver(at: now))
    refusal.begin(refused(.readOnlyToken), at: now)
    #expect(!refusal.isOver(at: now))
    #expect(!refusal.isOver(at: now + .seconds(599)))
    #expect(refusal.isOver(at: now + .seconds(600)))
    // Refused again, it waits as long again.
    refusal.begin(refused(.readOnlyToken), at: now + .seconds(600))
    #expect(!refusal.isOver(at: now + .seconds(1199)))
  }

  @Test("what a proxy had refused waited until the program saved something else")
  func retryOfToken() {
    let now = ContinuousClock.now
    var refusal = RefusedWriting()
    refusal.begin(refused(.readOnlyToken), at: now)
    #expect(refusal.isOfToken)
    #expect(refusal.secondsUntilRetry(at: now + .seconds(100)) == 500)
  }

  @Test("a zone that is full is tried again after a minute")
  func fullZone() {
    let now = ContinuousClock.now
    var refusal = RefusedWriting()
    #expect(refusal.secondsUntilRetry(at: now) == nil && refusal.problem == nil)
    refusal.begin(refused(.noRoom), at: now)
    #expect(!refusal.isOfToken && refusal.problem?.description == "The zone is full.")
    #expect(refusal.secondsUntilRetry(at: now + .seconds(20)) == 40)
    #expect(refusal.secondsUntilRetry(at: now + .seconds(70)) == 0)
    #expect(refusal.isOver(at: now + .seconds(60)))
  }
}

struct PatienceWithObserversTests {
  @Test("whoever took a value back on a queue for which an observer waited, waited for ever")
  func otherQueue() {
    var patience = PatienceWithObservers()
    func isOver(_ isHeld: Bool, isOnMainQueue: Bool = false) -> Bool {
      patience.isOver(isHeld, isOnMainQueue: isOnMainQueue)
    }
    #expect((1...150).map { _ in isOver(true) } == Array(repeating: false, count: 149) + [true])
    // Observers that come to an end are waited for.
    #expect(!isOver(false, isOnMainQueue: true))
    #expect(!isOver(true))
    #expect(isOver(true, isOnMainQueue: true))
  }
}

struct RefusedExchangeTests {
  @Test(
    "a device that was refused for good, while its server served another folder, never asked again",
    // Waits for the minute after which the device asks.
    .enabled(if: Tries.areMany)
  )
  func otherFolder() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    let laptop = try server.container("laptop", address: try server.address())
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    server.stop()
    let other = server.folder.appending(path: "other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try server.start(in: other)
    try phone.title("Bulbs", of: "garden")
    #expect(try await comes { phone.syncStatus.problem?.isTemporary == false })
    #expect(phone.pendingChangeCount > 0)
    server.stop()
    try server.start()
    // Nobody saves anything, and nobody asks.
    #expect(try await comes(within: 300) { try laptop.titles == ["garden": "Bulbs"] })
    #expect(try await comes { phone.pendingChangeCount == 0 && phone.syncStatus.problem == nil })
  }
}

struct WishesTests {
  @Test("somebody who asked for conflicts kept a device from trying again what had failed")
  func questions() throws {
    let wishes = Wishes()
    wishes.add(.exchange, after: 3600)
    #expect(wishes.add { _ in })
    #expect(wishes.next()?.wantsExchange == false)
    wishes.add(.exchange, after: -1)
    #expect(wishes.add { _ in })
    #expect(wishes.next()?.wantsExchange == true)
    // It is tried once.
    #expect(wishes.add { _ in })
    #expect(wishes.next()?.wantsExchange == false)
  }

  @Test("an exchange that comes before takes the place of the one that was to be tried again")
  func exchangeBefore() {
    let wishes = Wishes()
    wishes.add(.exchange, after: -1)
    wishes.forgetRetry()
    wishes.add(.localChanges)
    #expect(wishes.next()?.wantsExchange == false)
  }

  @Test(
    "whoever ended an exchange waited for observers that waited for him, and an exchange that he had left saved again",
    .timeLimit(.minutes(60))
  )
  func observersThatWait() {
    let wishes = Wishes()
    let (isTelling, isOver, hasAsked) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let refusals = Mutex<[Bool]>([])
    let look: @Sendable () -> Void = {
      let isRefused = (try? wishes.checkSave()) == nil
      refusals.withLock { $0.append(isRefused) }
    }
    wishes.run("engine") {
      look()
      wishes.announcementBegins()
      isTelling.signal()
      isOver.wait()
      // A save of an observer is the observer's own.
      look()
      wishes.announcementEnds()
      look()
      hasAsked.signal()
    }
    isTelling.wait()
    wishes.stop()
    isOver.signal()
    hasAsked.wait()
    #expect(refusals.withLock { $0 } == [false, false, true])
  }

  @Test("an exchange that ends is waited for, whatever it has told before")
  func waiting() {
    let wishes = Wishes()
    let hasEnded = Mutex(false)
    wishes.run("engine") {
      wishes.announcementBegins()
      wishes.announcementEnds()
      while !wishes.hasStopped { wishes.pause(seconds: 0.01) }
      Thread.sleep(forTimeInterval: 0.2)
      hasEnded.withLock { $0 = true }
    }
    wishes.stop()
    #expect(hasEnded.withLock { $0 })
    #expect(throws: Never.self) { try wishes.checkSave() }
  }
}
