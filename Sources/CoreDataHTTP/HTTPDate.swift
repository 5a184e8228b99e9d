import Foundation

/// Times as HTTP writes them: `Fri, 20 Nov 2026 15:30:00 GMT`.
public enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the text of a time in seconds since 1970.
  public static func text(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
    let date =
      "\(days[Int(parts.tm_wday)]), \(digits(parts.tm_mday, 2)) \(months[Int(parts.tm_mon)]) "
      + digits(parts.tm_year + 1900, 4)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }
    return "\(date) \(clock.joined(separator: ":")) GMT"
  }
}
