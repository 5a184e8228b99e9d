import CoreDataHTTP

/// The fields of a request or an answer, in order; names do not mind capitals.
///
///     headers["content-type"] = "text/plain"
public struct Headers: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public var name: String
    public var value: String
  }

  public private(set) var fields: [Field] = []

  public init() {}

  /// The first value under a name; setting replaces every value, and nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.isSameFieldName(as: name) }?.value }
    set {
      fields.removeAll { $0.name.isSameFieldName(as: name) }
      if let newValue { add(name, newValue) }
    }
  }

  /// Every value under a name.
  public func all(_ name: String) -> [String] {
    fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
  }

  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value.asFieldValue))
  }

  /// Sets what is not set yet.
  mutating func fill(_ name: String, _ value: String) {
    if self[name] == nil { add(name, value) }
  }
}

extension Headers {
  init(_ fields: [HTTPField]) {
    for field in fields { add(field.name, field.value) }
  }
}

extension Headers: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}

extension String {
  fileprivate func isSameFieldName(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
  }

  /// The text without control characters: a line break in a value would begin a field of its own.
  fileprivate var asFieldValue: String {
    unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      ? String(
        String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
      )
      : self
  }
}

extension UInt8 {
  var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}
