import Foundation

/// A colour as three parts of light, each from 0 to 1.
struct Color: Sendable, Equatable {
  var red: Double
  var green: Double
  var blue: Double

  init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The colour of a text such as `#2b5f8c`.
  init?(hex: String) {
    let digits = hex.dropFirst()
    guard hex.hasPrefix("#"), digits.count == 6, digits.allSatisfy(\.isHexDigit),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    self.init(
      red: Double((number >> 16) & 0xFF) / 255,
      green: Double((number >> 8) & 0xFF) / 255,
      blue: Double(number & 0xFF) / 255
    )
  }

  var hex: String {
    let parts = [red, green, blue].map { Int((min(max($0, 0), 1) * 255).rounded()) }
    return String(format: "#%02x%02x%02x", parts[0], parts[1], parts[2])
  }
}

extension Color {
  /// The components as the entity keeps them.
  var components: (red: NSNumber, green: NSNumber, blue: NSNumber) {
    (NSNumber(value: red), NSNumber(value: green), NSNumber(value: blue))
  }

  static func fromNumbers(red: NSNumber?, green: NSNumber?, blue: NSNumber?) -> Color {
    Color(red: red?.doubleValue ?? 0, green: green?.doubleValue ?? 0, blue: blue?.doubleValue ?? 0)
  }
}
