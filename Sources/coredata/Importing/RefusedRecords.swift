/// Records that cannot be imported, and why the first of them cannot.
struct RefusedRecords {
  static let shown = 20

  private(set) var count = 0
  private(set) var first: [(place: Int, reason: String)] = []

  init(count: Int = 0) {
    self.count = count
  }

  mutating func add(_ reason: @autoclosure () -> String, at place: Int) {
    count += 1
    if first.count < Self.shown { first.append((place, reason())) }
  }

  /// Says why one of those cannot be that are counted.
  mutating func show(_ reason: String, at place: Int) {
    first.append((place, reason))
  }

  /// A line for each reason.
  func lines(_ placeName: String) -> [String] {
    let lines = first.map { "  \(placeName) \($0.place): \($0.reason)" }
    let more = count - first.count
    return lines + (more > 0 ? ["  … and \(more.grouped) more"] : [])
  }
}
