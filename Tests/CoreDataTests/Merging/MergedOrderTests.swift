import Testing

@testable import CoreData

@Suite struct MergedOrderTests {
  @Test(arguments: [
    ("abc", "abc", "abc"), ("cab", "abc", "cab"), ("cab", "axbc", "caxb"), ("ba", "xab", "xba"),
    ("abc", "ac", "ac"), ("", "abc", "abc"), ("abc", "", ""), ("ab", "abxy", "abxy"),
    ("ba", "axbyz", "byzax"),
  ])
  func `their order wins, and others stay behind their leaders`(
    order: String,
    members: String,
    merged: String
  ) {
    #expect(String(MergedOrder.merge(Array(order), into: Array(members))) == merged)
  }
}
