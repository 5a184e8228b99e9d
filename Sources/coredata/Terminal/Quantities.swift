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

  /// Reads what people write of a size: `1500`, `500MB`, `1.5 GB`.
  init?(bytesIn text: String) {
    let units = ["": 1.0, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12]
    let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard let factor = units[unit], let value = Double(number), value * factor < 1e18 else {
      return nil
    }
    self = Int(value * factor)
  }

  /// `1 note`, `2 notes`.
  func of(_ one: String, _ many: String? = nil) -> String {
    "\(grouped) \(self == 1 ? one : many ?? one + "s")"
  }
}
