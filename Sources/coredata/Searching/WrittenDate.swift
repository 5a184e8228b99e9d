import Foundation

/// A date as people write it, and as `dump` prints it: the time that fits what is written.
///
/// ```
/// 2024-05-10                     the whole day
/// 2024-05-10T18:14:11Z           that second
/// 2024-05-10 20:14+02:00         that minute, two hours east
/// 2024-05-10T18:14:11.669581Z    that millionth of a second
/// ```
///
/// Without a zone it is in UTC, as everything that the tool prints.
struct WrittenDate {
  /// What is written, to the moment.
  let moment: Date
  /// The first moment.
  let start: Date
  /// The last that a double tells from the first moment behind it.
  let last: Date

  static let forms = "\"2024-05-10\", \"2024-05-10T18:14:11Z\" or \"2024-05-10T20:14:11+02:00\""

  init?(_ text: String) {
    let pattern =
      /(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?)?(.*)/
    guard let match = text.trimmingCharacters(in: .whitespaces).wholeMatch(of: pattern)?.output,
      let year = Int(match.1), let zone = Self.seconds(ofZone: match.8, hasTime: match.4 != nil)
    else { return nil }
    let numbers = [match.2, match.3, match.4, match.5, match.6].map { $0.flatMap { Int($0) } }
    var parts = DateComponents(year: year)
    (parts.month, parts.day) = (numbers[0] ?? 1, numbers[1] ?? 1)
    (parts.hour, parts.minute, parts.second) = (numbers[2] ?? 0, numbers[3] ?? 0, numbers[4] ?? 0)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    // The 31st of February is no day, and neither is it the 2nd of March.
    guard let first = calendar.date(from: parts),
      calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: first) == parts,
      let end = calendar.date(byAdding: Self.unit(numbers), value: 1, to: first)
    else { return nil }
    var exact = first.timeIntervalSinceReferenceDate
    var (begin, behind) = (first.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
    if let digits = match.7, let fraction = Double("0.\(digits)") {
      behind = begin + fraction + pow(10, -Double(digits.count))
      exact += fraction
      // Printed fractions are rounded at the sixth digit.
      begin += fraction - 0.000_000_5
    }
    moment = Date(timeIntervalSinceReferenceDate: exact - zone)
    start = Date(timeIntervalSinceReferenceDate: begin - zone)
    last = Date(timeIntervalSinceReferenceDate: (behind - zone).nextDown)
  }

  /// The smallest part that is written.
  private static func unit(_ numbers: [Int?]) -> Calendar.Component {
    let units: [Calendar.Component] = [.month, .day, .hour, .minute, .second]
    return Array(zip(numbers, units)).last { $0.0 != nil }?.1 ?? .year
  }

  /// How far a zone is to the east; nil for what is none.
  private static func seconds(ofZone text: Substring, hasTime: Bool) -> Double? {
    if text.isEmpty { return 0 }
    guard hasTime else { return nil }
    let zone = text.trimmingCharacters(in: .whitespaces)
    if ["Z", "UTC", "GMT"].contains(zone.uppercased()) { return 0 }
    guard let match = zone.wholeMatch(of: /([+-])(\d\d):?(\d\d)/)?.output,
      let hours = Double(match.2), let minutes = Double(match.3)
    else { return nil }
    return (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}
