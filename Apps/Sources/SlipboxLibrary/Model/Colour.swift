import Foundation

/// A colour in red, green, blue and opacity, each from 0 to 1.
///
/// ```swift
/// Colour(hex: "#0000FF") == Colour(red: 0, green: 0, blue: 1)
/// Colour(red: 0, green: 0, blue: 1).hex == "0000FFFF"
/// ```
public struct Colour: Hashable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var opacity: Double

  public static let black = Colour(red: 0, green: 0, blue: 0)

  /// Components outside 0…1 become the nearest of the two.
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.red = Self.limited(red)
    self.green = Self.limited(green)
    self.blue = Self.limited(blue)
    self.opacity = Self.limited(opacity)
  }

  private static func limited(_ component: Double) -> Double {
    component.isFinite ? min(max(component, 0), 1) : 0
  }
}

// MARK: - As text

extension Colour {
  /// Reads six or eight hexadecimal digits, with or without `#`; nil for anything else.
  public init?(hex: String) {
    let digits = hex.trimmingCharacters(in: .whitespacesAndNewlines)
      .drop { $0 == "#" }
    guard digits.count == 6 || digits.count == 8, digits.allSatisfy(\.isHexDigit),
      let number = UInt64(digits, radix: 16)
    else { return nil }
    let rgba = digits.count == 8 ? number : (number << 8) | 0xff
    func component(_ shift: UInt64) -> Double { Double((rgba >> shift) & 0xff) / 255 }
    self.init(
      red: component(24),
      green: component(16),
      blue: component(8),
      opacity: component(0)
    )
  }

  /// Eight digits: `0000FFFF` is an opaque blue.
  public var hex: String {
    [red, green, blue, opacity].map(Self.twoDigits).joined().uppercased()
  }

  /// As style sheets write it, without the opacity: `#0000ff`.
  public var css: String {
    "#" + [red, green, blue].map(Self.twoDigits).joined()
  }

  private static func twoDigits(_ component: Double) -> String {
    let number = Int((component * 255).rounded())
    return (number < 16 ? "0" : "") + String(number, radix: 16)
  }
}
