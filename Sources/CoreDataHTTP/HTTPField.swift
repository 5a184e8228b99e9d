/// A field of a request or an answer.
public struct HTTPField: Sendable, Equatable {
  public let name: String
  public let value: String

  /// Makes a field.
  ///
  /// Control characters are left out of the value, because a line break would begin another field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value.withoutControls
  }

  /// Makes a field as a client has sent it.
  init(sent name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension String {
  /// The text without control characters.
  var withoutControls: String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value < 0x20 || scalar.value == 0x7F
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return String(UnicodeScalarView(unicodeScalars.filter { !isControl($0) }))
  }
}

extension HTTPField {
  /// Whether this is the field of a name, in capitals or not.
  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

  /// Whether the name is a name.
  ///
  /// A blank before the colon belongs to the name for some programs, and not for others.
  var hasProperName: Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
  }
}
