/// Whole numbers that come from outside as text: in an address, a field, an argument, a file.
///
/// ```swift
/// guard let port = WholeNumber.read(text, within: 0...65_535) else { … }
/// ```
///
/// This is the one door for them. A number that may be anything stops the program at the first `abs` or
/// `+ 1`; one that was read here cannot.
public enum WholeNumber {
  /// The number that a text is, if it lies within a range; nil for any other text.
  public static func read(_ text: some StringProtocol, within range: ClosedRange<Int>) -> Int? {
    guard let number = Int(text), range.contains(number) else { return nil }
    return number
  }

  /// The same with 64 bits, as histories count.
  public static func read64(
    _ text: some StringProtocol,
    within range: ClosedRange<Int64> = 0...JSONLimits.numbers.upperBound
  ) -> Int64? {
    guard let number = Int64(text), range.contains(number) else { return nil }
    return number
  }
}
