import CoreData

/// A number with all its digits, in the server's binary form.
///
/// ```
/// count  weight  sign  scale  digits, four decimal ones in each of two bytes
///     2       0     +      2  1  2500          1.25
/// ```
struct PostgreSQLNumeric {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private func word(_ place: Int) -> UInt16 {
    UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
  }

  /// The number as people write it, without zeros at its end; "nan" and "inf" as Swift spells them.
  var text: String {
    guard bytes.count >= 8 else { return "nan" }
    let count = min(Int(word(0)), bytes.count / 2 - 4)
    let weight = Int(Int16(bitPattern: word(1)))
    switch word(2) {
    case 0xC000: return "nan"
    case 0xD000: return "inf"
    case 0xF000: return "-inf"
    case let sign:
      if count == 0 { return "0" }
      return (sign == 0x4000 ? "-" : "") + whole(count, weight) + fraction(count, weight)
    }
  }

  private func group(_ index: Int, of count: Int) -> String {
    guard (0..<count).contains(index) else { return "0000" }
    let digits = String(word(4 + index))
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func whole(_ count: Int, _ weight: Int) -> String {
    guard weight >= 0 else { return "0" }
    let digits = (0...weight).map { group($0, of: count) }.joined().drop { $0 == "0" }
    return digits.isEmpty ? "0" : String(digits)
  }

  private func fraction(_ count: Int, _ weight: Int) -> String {
    guard count > weight + 1 else { return "" }
    var digits = (weight + 1..<count).map { group($0, of: count) }.joined()
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "" : "." + digits
  }
}
