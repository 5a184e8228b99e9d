import Foundation

extension Int {
  /// With a thin mark between thousands: `3,000,000`.
  var grouped: String {
    let digits = String(magnitude)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }

  /// As people speak of files: `512 bytes`, `1.2 MB`.
  var asBytes: String {
    if self == 1 { return "1 byte" }
    if self < 1000 { return "\(self) bytes" }
    var (value, units) = (Double(self) / 1000, ["kB", "MB", "GB", "TB"][...])
    while value >= 999.5, units.count > 1 {
      value /= 1000
      units = units.dropFirst()
    }
    return String(format: value < 9.95 ? "%.1f %@" : "%.0f %@", value, units.first ?? "")
  }

  /// `1 note`, `2 notes`.
  func of(_ one: String, _ many: String? = nil) -> String {
    "\(grouped) \(self == 1 ? one : many ?? one + "s")"
  }
}

extension Date {
  /// As ISO 8601 has it, in UTC, with as many digits of a second as there are, six at most.
  ///
  /// ```
  /// 2024-05-09T18:20:51Z     2024-05-09T18:20:51.68Z
  /// ```
  var iso8601: String { iso8601(withFractions: true) }

  func iso8601(withFractions hasFractions: Bool) -> String {
    let micros = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
    guard micros.magnitude < 9e18 else { return "\(timeIntervalSinceReferenceDate)" }
    let (seconds, fraction) = Int(micros).quotientAndModulo(1_000_000)
    var time = time_t(seconds + 978_307_200)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return "\(timeIntervalSinceReferenceDate)" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = Int(parts.tm_year) + 1900
    let years = (0...9999).contains(year) ? String(String(year + 10_000).dropFirst()) : "\(year)"
    var text = "\(years)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    text += "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    if fraction > 0, hasFractions {
      var digits = String(String(fraction + 1_000_000).dropFirst())
      while digits.last == "0" { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }
}

extension Int {
  fileprivate func quotientAndModulo(_ divisor: Int) -> (Int, Int) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
