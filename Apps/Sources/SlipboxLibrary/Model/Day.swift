import Foundation

/// A day of the calendar, as a key that sorts: `2026-11-20`.
struct Day {
  let key: String

  init(_ date: Date, in calendar: Calendar = .current) {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    key = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  init(key: String) {
    self.key = key
  }

  /// The day as people say it: Today, Yesterday, Friday 20 November 2026.
  func title(today: Date, in calendar: Calendar = .current) -> String {
    if key == Day(today, in: calendar).key { return "Today" }
    let dayBefore = calendar.date(byAdding: .day, value: -1, to: today)
    if let dayBefore, key == Day(dayBefore, in: calendar).key { return "Yesterday" }
    let parts = zip(key.split(separator: "-"), [0...9_999, 1...12, 1...31])
      .compactMap { WholeNumber.read($0, within: $1) }
    guard parts.count == 3,
      let date = calendar.date(
        from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12)
      )
    else { return key }
    let weekday = Self.weekdays[(calendar.component(.weekday, from: date) - 1) % 7]
    return "\(weekday) \(parts[2]) \(Self.months[(parts[1] + 11) % 12]) \(parts[0])"
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
