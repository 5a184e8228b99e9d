import CoreDataStoreCare
import Foundation

// Values that are written in the plainest way, read from UTF-8 in its place. `nil` means that more has to be known
// about the text, not that it is not such a value.

extension UnsafeRawBufferPointer {
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let own = baseAddress, let others = other.baseAddress else { return true }
    return memcmp(own, others, count) == 0
  }

  /// The first place of a byte, from a place on.
  func place(of byte: UInt8, from begin: Int) -> Int? {
    guard let base = baseAddress, begin < count,
      let found = memchr(base + begin, Int32(byte), count - begin)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  func spells(_ word: StaticString) -> Bool {
    equals(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// How many UTF-16 code units the text has.
  var utf16Count: Int {
    // Continuation bytes do not count, and the longest characters count twice.
    reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
  }

  /// `3`, `+3` or `-3`, of so few digits that it fits.
  var plainInteger: Int64? {
    let isNegative = first == UInt8(ascii: "-")
    let sign = isNegative || first == UInt8(ascii: "+") ? 1 : 0
    guard let number = digits(sign..<count) else { return nil }
    return isNegative ? -number : number
  }

  /// `3` or `-3.25`, of so few digits that a `Double` has them all.
  var plainNumber: Double? {
    let sign = first == UInt8(ascii: "-") ? 1 : 0
    let point = firstIndex(of: UInt8(ascii: ".")) ?? count
    guard count - sign <= 16, var number = digits(sign..<point).map(Double.init) else { return nil }
    if point < count {
      guard let fraction = digits(point + 1..<count) else { return nil }
      // Both numbers and the power are exact, so that the quotient is the nearest one.
      let power = Self.powers[count - point - 1]
      number = (number * power + Double(fraction)) / power
    }
    return sign == 1 ? -number : number
  }

  /// `true` or `false`, `1` or `0`.
  var plainFlag: Bool? {
    if spells("true") || spells("1") { return true }
    return spells("false") || spells("0") ? false : nil
  }

  private static let powers: [Double] = (0...16).map { power in
    (0..<power).reduce(1) { number, _ in number * 10 }
  }

  /// A number without a sign, of 18 digits at most.
  fileprivate func digits(_ range: Range<Int>) -> Int64? {
    guard (1...18).contains(range.count) else { return nil }
    var number: Int64 = 0
    for place in range {
      let digit = self[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return number
  }
}

// MARK: - Dates

extension UnsafeRawBufferPointer {
  /// `2024-05-10` or `2024-05-10T18:14:11.5Z`, as seconds since 1 January 2001.
  var plainMoment: Double? {
    guard count >= 10, self[4] == UInt8(ascii: "-"), self[7] == UInt8(ascii: "-"),
      let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10),
      year > 0, (1...12).contains(month),
      (1...PrintedCalendar.length(of: month, year)).contains(day)
    else { return nil }
    let midnight = Double(PrintedCalendar.days(year, month, day) * 86_400)
    return count == 10 ? midnight : time.map { midnight + $0.seconds + $0.fraction }
  }

  /// The time after the day: `T18:14:11`, with a fraction or without.
  private var time: (seconds: Double, fraction: Double)? {
    guard count >= 19, self[10] == UInt8(ascii: "T") || self[10] == UInt8(ascii: " "),
      self[13] == UInt8(ascii: ":"), self[16] == UInt8(ascii: ":"),
      let hour = digits(11..<13), let minute = digits(14..<16), let second = digits(17..<19),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let seconds = Double(hour * 3600 + minute * 60 + second)
    let end = self[count - 1] == UInt8(ascii: "Z") ? count - 1 : count
    if end == 19 { return (seconds, 0) }
    guard self[19] == UInt8(ascii: "."), end - 20 <= 9, let fraction = digits(20..<end) else {
      return nil
    }
    return (seconds, Double(fraction) / Self.powers[end - 20])
  }
}
