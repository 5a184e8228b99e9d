package import Foundation

/// A date as people write it, and as `dump` prints it: the time that fits what is written.
///
/// ```
/// 2024-05-10                     the whole day
/// 2024-05-10T18:14:11Z           that second
/// 2024-05-10 20:14+02:00         that minute, two hours east
/// 2024-05-10T18:14:11.669581Z    that millionth of a second
/// -0044-03-15                    a day of the year 45 before Christ, as the year 0 is one of ISO 8601
/// ```
///
/// Without a zone it is in UTC, as everything that the tool prints.
package struct WrittenDate {
  /// The written moment.
  package let moment: Date
  /// The first moment.
  package let start: Date
  /// The last that a double tells from the first moment behind it.
  package let last: Date

  package static let forms =
    "\"2024-05-10\", \"2024-05-10T18:14:11Z\" or \"2024-05-10T20:14:11+02:00\""

  package init?(_ text: String) {
    let pattern =
      /(-?\d{4,6})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?(.*)/
    guard let match = text.trimmingCharacters(in: .whitespaces).wholeMatch(of: pattern)?.output,
      let year = Int64(match.1), let zone = Self.seconds(ofZone: match.8, hasTime: match.4 != nil)
    else { return nil }
    let numbers = [match.2, match.3, match.4, match.5, match.6].map { $0.flatMap { Int64($0) } }
    let (month, day) = (numbers[0] ?? 1, numbers[1] ?? 1)
    let (hour, minute, second) = (numbers[2] ?? 0, numbers[3] ?? 0, numbers[4] ?? 0)
    // A year of more than four signs is printed with its day; alone it may be written by mistake.
    guard match.1.count == 4 || numbers[1] != nil else { return nil }
    // The 31st of February is not a day, and it does not mean the 2nd of March.
    guard (1...12).contains(month),
      (1...PrintedCalendar.length(of: month, year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let midnight = Double(PrintedCalendar.days(year, month, day) * 86_400)
    let first = midnight + Double(hour * 3600 + minute * 60 + second)
    var exact = first
    var (begin, behind) = (first, first + Self.length(of: numbers, year))
    if let digits = match.7, let fraction = Double("0.\(digits)") {
      behind = begin + fraction + pow(10, -Double(digits.count))
      exact += fraction
      // Fractions of other programs are rounded at the sixth digit, and those of a dump at the last.
      begin += fraction - pow(10, -Double(max(digits.count, 6))) / 2
    }
    moment = Date(timeIntervalSinceReferenceDate: exact - zone)
    start = Date(timeIntervalSinceReferenceDate: begin - zone)
    // The last digit may be smaller than a double distinguishes.
    last = Date(timeIntervalSinceReferenceDate: max((behind - zone).nextDown, exact - zone))
  }

  /// How many seconds the smallest part has that is written.
  private static func length(of numbers: [Int64?], _ year: Int64) -> Double {
    let lengths: [Double] = [86_400, 3600, 60, 1]
    if let written = numbers.dropFirst().lastIndex(where: { $0 != nil }) {
      return lengths[written - 1]
    }
    if let month = numbers[0] { return Double(PrintedCalendar.length(of: month, year) * 86_400) }
    let days = PrintedCalendar.days(year + 1, 1, 1) - PrintedCalendar.days(year, 1, 1)
    return Double(days * 86_400)
  }

  /// How far a zone is to the east; `nil` for a text that is not a zone, or for more than 14 hours.
  private static func seconds(ofZone text: Substring, hasTime: Bool) -> Double? {
    if text.isEmpty { return 0 }
    guard hasTime else { return nil }
    let zone = text.trimmingCharacters(in: .whitespaces)
    if ["Z", "UTC", "GMT"].contains(zone.uppercased()) { return 0 }
    guard let match = zone.wholeMatch(of: /([+-])(\d\d):?(\d\d)/)?.output,
      let hours = Double(match.2), let minutes = Double(match.3), minutes < 60,
      hours * 60 + minutes <= 14 * 60
    else { return nil }
    return (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

/// The calendar in which dates are printed: the Gregorian one, also for the years before it was made.
package enum PrintedCalendar {
  package static func length(of month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case _: 31
    }
  }

  /// How many days a day is behind 1 January 2001; years are counted from March, so that the leap day is the last.
  package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month < 3 ? year - 1 : year
    let month = month < 3 ? month + 9 : month - 3
    // The calendar repeats itself after 400 years, so that years before the year 0 are like later ones.
    let cycle = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let year = marchYear - cycle * 400
    let leapDays = cycle * 97 + year / 4 - year / 100
    return 365 * marchYear + leapDays + (153 * month + 2) / 5 + day - 1 - 730_791
  }
}
