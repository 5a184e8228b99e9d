import Testing

@testable import SlipboxLibrary

/// The size of the portions in which an import is written.
struct WritingPaceTests {
  @Test("A portion that took too long is followed by one that fits into the time")
  func slow() {
    var pace = WritingPace(first: 100, most: 500)
    pace.took(.milliseconds(500), for: 100)
    #expect(pace.count == 10)
    pace.took(.seconds(60), for: 10)
    #expect(pace.count == 1)
  }

  @Test("Fast portions grow twofold, up to the most that may be in memory")
  func fast() {
    var pace = WritingPace(first: 50, most: 300)
    var counts: [Int] = []
    for _ in 0..<4 {
      pace.took(.milliseconds(1), for: pace.count)
      counts.append(pace.count)
    }
    #expect(counts == [100, 200, 300, 300])
  }

  @Test("Whatever time each object takes, a portion of many comes to last no longer than it should")
  func bounded() {
    for microseconds in [1, 10, 100, 1_000, 20_000] {
      let each = Duration.microseconds(microseconds)
      var pace = WritingPace(first: 50, most: 500)
      for _ in 0..<20 { pace.took(each * pace.count, for: pace.count) }
      #expect(each * pace.count <= WritingPace.aim)
    }
  }

  @Test("An empty portion, and a clock that stands still, change nothing for the worse")
  func nothing() {
    var pace = WritingPace(first: 10, most: 20)
    pace.took(.seconds(1), for: 0)
    #expect(pace.count == 10)
    pace.took(.zero, for: 10)
    #expect(pace.count == 20)
  }
}
