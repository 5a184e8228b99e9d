import Testing

@testable import CoreDataSyncDevice

struct RefusedWritingTests {
  @Test("a device that was refused once by somebody between never sent anything again")
  func secondTry() {
    let now = ContinuousClock.now
    var refusal = RefusedWriting()
    #expect(refusal.isOver(at: now))
    refusal.begin(at: now)
    #expect(!refusal.isOver(at: now))
    #expect(!refusal.isOver(at: now + .seconds(599)))
    #expect(refusal.isOver(at: now + .seconds(600)))
    // Refused again, it waits as long again.
    refusal.begin(at: now + .seconds(600))
    #expect(!refusal.isOver(at: now + .seconds(1199)))
  }
}
