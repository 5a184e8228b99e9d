import CoreDataStrictJSON

/// The part of a file that is asked for: `bytes=0-499`, `bytes=500-`, `bytes=-500`.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// Reads a `Range` field.
  ///
  /// A field that is not a range of bytes, or has several, means the whole, as the protocol allows.
  init(_ field: String?, length: Int) {
    guard let field, field.hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let ends = field.dropFirst("bytes=".count)
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else {
      self = .whole
      return
    }
    // More bytes than a file can have lie behind its end.
    let numbers = 0...Int(JSONLimits.numbers.upperBound)
    let (first, last) = (
      WholeNumber.read(ends[0], within: numbers), WholeNumber.read(ends[1], within: numbers)
    )
    switch (first, last) {
    case (let first?, let last?) where first > last: self = .whole
    case (let first?, let last?): self.init(first, last, length)
    case (let first?, nil) where ends[1].isEmpty: self.init(first, length - 1, length)
    case (nil, let suffix?) where ends[0].isEmpty:
      self = suffix == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - suffix)..<length)
    case _: self = .whole
    }
  }

  private init(_ first: Int, _ last: Int, _ length: Int) {
    self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
