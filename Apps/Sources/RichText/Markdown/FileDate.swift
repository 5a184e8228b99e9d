import Foundation

/// Dates as people and programs write them at the beginning of a file.
///
/// ```
/// 2026-11-21   2026-11-21 07:12   2026-11-21T07:12:33.500Z   2026-11-21T07:12:33+01:00
/// 20261121     202611210712       20261121T071233Z           [[2026-11-21]]
/// ```
///
/// ``WrittenDate`` has those whose year is last.
enum FileDate {
  /// To the nearest millisecond, in UTC.
  static func text(_ date: Date) -> String {
    // The written date is cut off there: a date that was read would lose a millisecond with each writing.
    (date + 0.000_5).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
    )
  }

  /// The date; `nil` for a text that is not a date, or one before 1900.
  ///
  /// `order` is that of numbers such as `03/04/2021`, which may be of March or April; if it is `nil`, so is their date.
  ///
  /// Without a time zone the program's zone applies. A day alone means its noon, so that it is the same day for readers
  /// in other time zones.
  static func date(_ text: String, order: WrittenDate.Order? = nil) -> Date? {
    if let written = WrittenDate(text) { return written.date(order) }
    // Obsidian's links to the note of a day.
    let bytes = Array(text.utf8.drop { $0 == UInt8(ascii: "[") }.prefix(40))
    let isCompact = isCompact(bytes)
    var numbers: [Int] = []
    var position = 0
    /// Up to so many digits, after an optional sign.
    func number(_ digits: Int, after signs: String) -> Int? {
      if !numbers.isEmpty {
        guard position < bytes.count else { return nil }
        if signs.utf8.contains(bytes[position]) {
          position += 1
        } else if !isCompact {
          return nil
        }
      }
      var value = 0
      let start = position
      while position < bytes.count, position - start < digits,
        (0x30...0x39).contains(bytes[position])
      {
        value = value * 10 + Int(bytes[position] - 0x30)
        position += 1
      }
      return position > start ? value : nil
    }
    for (digits, signs) in [(4, ""), (2, "-/"), (2, "-/"), (2, "T t"), (2, ":"), (2, ":")] {
      guard let value = number(digits, after: signs) else { break }
      numbers.append(value)
    }
    guard numbers.count >= 3, (1900...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2])
    else { return nil }
    var parts = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
    parts.hour = numbers.count > 3 ? numbers[3] : 12
    parts.minute = numbers.count > 4 ? numbers[4] : 0
    parts.second = numbers.count > 5 ? numbers[5] : 0
    let fraction = fraction(bytes, &position)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = numbers.count > 3 ? zone(bytes[position...]) : .current
    return calendar.date(from: parts).map { $0 + fraction }
  }

  /// Whether nothing separates the numbers; other rows of digits are numbers of something else.
  private static func isCompact(_ bytes: [UInt8]) -> Bool {
    let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
    return [8, 12, 14].contains(digits)
  }

  private static func fraction(_ bytes: [UInt8], _ position: inout Int) -> TimeInterval {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    var (value, unit) = (0.0, 1.0)
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      unit /= 10
      value += Double(bytes[position] - 0x30) * unit
      position += 1
    }
    return value
  }

  /// `Z`, `+01:00`, `-0530`.
  private static func zone(_ bytes: ArraySlice<UInt8>) -> TimeZone {
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    if text.first == "Z" || text.first == "z" { return .gmt }
    guard text.first == "+" || text.first == "-" else { return .current }
    let digits = text.dropFirst().filter(\.isNumber).prefix(4)
    guard let hours = Int(digits.prefix(2)) else { return .current }
    let seconds = hours * 3600 + (Int(digits.dropFirst(2)) ?? 0) * 60
    return TimeZone(secondsFromGMT: text.first == "-" ? -seconds : seconds) ?? .current
  }
}
