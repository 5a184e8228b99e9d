import TestSupport
import Testing

/// Tests of the wait that other tests use.
struct BoundedWaitTests {
  @Test func `a test waited without end for what did not come`() {
    let wait = BoundedWait("Nothing has come", .milliseconds(1))
    let error = #expect(throws: (any Error).self) { try wait.until { false } }
    #expect(error.map { "\($0)".hasPrefix("Nothing has come within ") } == true)
  }
}
