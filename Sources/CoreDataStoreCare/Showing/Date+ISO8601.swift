package import Foundation

extension Date {
  /// As ISO 8601 has it, in UTC, with as many digits of a second as tell it from its neighbours, nine at most.
  ///
  /// ```
  /// 2024-05-09T18:20:51Z     2024-05-09T18:20:51.68Z     2026-11-27T19:30:50.1234567Z
  /// ```
  package var iso8601: String { iso8601(withFractions: true) }

  package func iso8601(withFractions hasFractions: Bool) -> String {
    let interval = timeIntervalSinceReferenceDate
    guard interval.magnitude < 9e12 else { return "\(interval)" }
    let (seconds, fraction, width) = interval.secondsAndFraction
    var time = time_t(seconds + 978_307_200)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return "\(timeIntervalSinceReferenceDate)" }
    return String(unsafeUninitializedCapacity: 48) { bytes in
      var digits = DigitWriter(bytes)
      let year = Int(parts.tm_year) + 1900
      if year < 0 { digits.write("-") }
      digits.write(year.magnitude, atLeast: 4)
      digits.write("-", parts.tm_mon + 1)
      digits.write("-", parts.tm_mday)
      digits.write("T", parts.tm_hour)
      digits.write(":", parts.tm_min)
      digits.write(":", parts.tm_sec)
      if fraction > 0, hasFractions {
        digits.write(".")
        digits.write(fraction, atLeast: width)
        digits.dropZeros()
      }
      digits.write("Z")
      return digits.count
    }
  }
}

/// Writes numbers as ASCII, one after the other.
private struct DigitWriter {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Writes one character of ASCII.
  mutating func write(_ scalar: Unicode.Scalar) {
    bytes[count] = UInt8(ascii: scalar)
    count += 1
  }

  /// Writes a mark and a number of two digits.
  mutating func write(_ mark: Unicode.Scalar, _ number: Int32) {
    write(mark)
    write(UInt(number), atLeast: 2)
  }

  /// Writes a number with zeros before it, up to a width.
  mutating func write(_ number: UInt, atLeast width: Int) {
    var (rest, digits) = (number / 10, 1)
    while rest > 0 {
      rest /= 10
      digits += 1
    }
    digits = max(digits, width)
    rest = number
    for place in (count..<count + digits).reversed() {
      bytes[place] = UInt8(48 + rest % 10)
      rest /= 10
    }
    count += digits
  }

  /// Takes back the zeros at the end.
  mutating func dropZeros() {
    while count > 0, bytes[count - 1] == 48 { count -= 1 }
  }
}

extension Double {
  /// The whole seconds below, and the fewest digits behind the point that give the same time again: six, or up to nine.
  fileprivate var secondsAndFraction: (seconds: Int, fraction: UInt, width: Int) {
    let whole = rounded(.down)
    var (width, power) = (6, 1_000_000.0)
    var fraction = ((self - whole) * power).rounded()
    while whole + fraction / power != self, width < 9 {
      width += 1
      power *= 10
      fraction = ((self - whole) * power).rounded()
    }
    guard fraction < power else { return (Int(whole) + 1, 0, width) }
    return (Int(whole), UInt(fraction), width)
  }
}
