import Foundation

/// A date as people write it: `28/09/2021 20:57`, `9/28/2021, 8:57 PM`, `28.09.2021`, `September 28, 2021`.
struct WrittenDate {
  /// The order of two numbers before the year.
  enum Order {
    case dayFirst, monthFirst
  }

  private let first: Int
  private let second: Int
  private let year: Int
  private let time: (hour: Int, minute: Int, second: Int)?
  private let zone: TimeZone

  /// The order that the text says by itself: by a point, a name, or a number that is not a month.
  let order: Order?

  /// Nil for a text that is not such a date, or one before 1900.
  init?(_ text: String) {
    var parts = text.split { $0.isWhitespace || $0 == "," }[...]
    // The day of the week.
    if let word = parts.first, parts.count > 3, word.allSatisfy(\.isLetter),
      Self.month(word) == nil
    {
      parts.removeFirst()
    }
    guard let (numbers, written) = Self.day(&parts) else { return nil }
    (first, second, year) = (numbers[0], numbers[1], numbers[2])
    guard (1900...9999).contains(year) else { return nil }
    if let written {
      order = written
    } else if first == second || second > 12 {
      order = .monthFirst
    } else {
      order = first > 12 ? .dayFirst : nil
    }
    guard let (time, zone) = Self.time(&parts), parts.isEmpty else { return nil }
    (self.time, self.zone) = (time, zone)
  }

  /// The moment; `nil` if the order of the numbers is not known, or the month is shorter.
  ///
  /// Without a time it is noon, as elsewhere.
  func date(_ usual: Order?) -> Date? {
    guard let order = order ?? usual else { return nil }
    let (day, month) = order == .dayFirst ? (first, second) : (second, first)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var parts = DateComponents(year: year, month: month, day: day)
    (parts.hour, parts.minute, parts.second) = (time?.hour ?? 12, time?.minute, time?.second)
    guard (1...12).contains(month), let date = calendar.date(from: parts),
      calendar.component(.day, from: date) == day
    else { return nil }
    return date
  }

  /// The order in which some texts write their dates; `nil` if none says it, or if they differ.
  static func order(of texts: [String]) -> Order? {
    let orders = Set(
      texts.compactMap { text -> Order? in
        guard let date = WrittenDate(text), date.first != date.second else { return nil }
        return date.order
      }
    )
    return orders.count == 1 ? orders.first : nil
  }
}

// MARK: - Parts

extension WrittenDate {
  /// Takes the day, the month and the year, in the order in which they are written.
  private static func day(
    _ parts: inout ArraySlice<Substring>
  ) -> (numbers: [Int], order: Order?)? {
    guard let word = parts.popFirst() else { return nil }
    for sign in ["/", ".", "-"] as [Character] {
      let numbers = word.split(separator: sign, omittingEmptySubsequences: false)
      guard numbers.count == 3, let day = number(numbers[0], 1...2),
        let month = number(numbers[1], 1...2), let year = number(numbers[2], 4...4)
      else { continue }
      return ([day, month, year], sign == "." ? .dayFirst : nil)
    }
    guard let next = parts.popFirst(), let last = parts.popFirst(), let year = number(last, 4...4)
    else { return nil }
    if let month = month(word), let day = number(ordinal(next), 1...2) {
      return ([month, day, year], .monthFirst)
    }
    guard let month = month(next), let day = number(ordinal(word), 1...2) else { return nil }
    return ([day, month, year], .dayFirst)
  }

  /// Takes a time such as `20:57`, `8:57:10 PM` or `20:57 +0200`; `nil` for other words.
  private static func time(
    _ parts: inout ArraySlice<Substring>
  ) -> ((hour: Int, minute: Int, second: Int)?, TimeZone)? {
    if parts.first == "at" { parts.removeFirst() }
    guard let word = parts.popFirst() else { return (nil, .current) }
    var digits = word
    var half = String(word.suffix(2)).lowercased()
    if half == "am" || half == "pm" { digits = word.dropLast(2) } else { half = "" }
    let numbers = digits.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(numbers.count), var hour = number(numbers[0], 1...2),
      let minute = number(numbers[1], 2...2),
      let second = numbers.count == 3 ? number(numbers[2], 2...2) : 0
    else { return nil }
    if let next = parts.first?.lowercased().filter({ $0 != "." }), ["am", "pm"].contains(next) {
      half = next
      parts.removeFirst()
    }
    if !half.isEmpty {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    }
    guard hour < 24, minute < 60, second < 60 else { return nil }
    guard let name = parts.popFirst() else { return ((hour, minute, second), .current) }
    return zone(name).map { ((hour, minute, second), $0) }
  }

  private static func zone(_ name: Substring) -> TimeZone? {
    if ["Z", "UTC", "GMT"].contains(name.uppercased()) { return .gmt }
    guard let sign = name.first, sign == "+" || sign == "-" else { return nil }
    let digits = name.dropFirst().filter { $0 != ":" }
    guard let number = number(digits[...], 4...4), number % 100 < 60, number <= 1_400 else {
      return nil
    }
    let seconds = number / 100 * 3_600 + number % 100 * 60
    return TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds)
  }

  private static func number(_ digits: Substring, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      return nil
    }
    return Int(digits)
  }

  /// The number of `1st`, `2nd`, `3rd`, `4th` and `5.`.
  private static func ordinal(_ word: Substring) -> Substring {
    for ending in ["st", "nd", "rd", "th", "."] where word.hasSuffix(ending) {
      return word.dropLast(ending.count)
    }
    return word
  }

  /// The number of a month by its English name, or the first letters of it.
  private static func month(_ word: Substring) -> Int? {
    let name = word.lowercased().filter { $0 != "." }
    guard name.count >= 3 else { return nil }
    return months.firstIndex { $0.hasPrefix(name) || (name == "sept" && $0 == "september") }
      .map { $0 + 1 }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
}
