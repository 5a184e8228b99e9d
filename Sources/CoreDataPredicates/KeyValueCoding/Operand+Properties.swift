import Foundation

extension Operand {
  /// The answer of Foundation's own classes to a key; `nil` if they do not know it.
  func property(_ key: String) -> Any? {
    switch self {
    case .number(let number): number.property(key)
    case .text(let text): text.property(key)
    case .date(let date): date.property(key)
    case .uuid(let uuid):
      key.isOne(of: "UUIDString", "uuidString", "description") ? uuid.uuidString : nil
    case .url(let url): url.property(key)
    case .data(let data): key.isOne(of: "length", "count") ? data.count : nil
    case .object(let object as NSObject): object.objectProperty(key)
    case .nothing, .collection, .dictionary, .object: nil
    }
  }
}

extension String {
  fileprivate func isOne(of names: String...) -> Bool { names.contains(self) }

  fileprivate func property(_ key: String) -> Any? {
    switch key {
    case "length": utf16.count
    case "uppercaseString", "uppercased": uppercased()
    case "lowercaseString", "lowercased": lowercased()
    case "capitalizedString", "capitalized": capitalized
    case "integerValue", "intValue", "longLongValue": numeral.integerValue
    case "doubleValue", "floatValue": numeral.doubleValue
    case "boolValue": numeral.boolValue
    case "lastPathComponent": NSString(string: self).lastPathComponent
    case "pathExtension": NSString(string: self).pathExtension
    case "hash": hashValue
    case "description": self
    default: nil
    }
  }
}

extension String {
  /// The text up to the first character that no number has.
  ///
  /// Foundation's reading of numbers stops the program at an emoji.
  private var numeral: NSString {
    NSString(string: String(decoding: utf8.prefix { $0 < 0x80 }, as: UTF8.self))
  }
}

extension Number {
  fileprivate func property(_ key: String) -> Any? {
    switch key {
    case "integerValue", "intValue", "longLongValue", "unsignedIntegerValue": Int(integerPart)
    case "doubleValue", "floatValue": double
    case "boolValue": self != .integer(0)
    case "decimalValue": exactDecimal
    case "stringValue", "description": "\(value)"
    default: nil
    }
  }
}

extension Date {
  fileprivate func property(_ key: String) -> Any? {
    switch key {
    case "timeIntervalSinceReferenceDate": timeIntervalSinceReferenceDate
    case "timeIntervalSince1970": timeIntervalSince1970
    case "timeIntervalSinceNow": timeIntervalSinceNow
    case "description": words
    default: nil
    }
  }
}

extension URL {
  /// A part that the address does not have is an empty optional.
  fileprivate func property(_ key: String) -> Any? {
    switch key {
    case "absoluteString", "description": absoluteString
    case "path": path
    case "host": host as Any
    case "scheme": scheme as Any
    case "query": query as Any
    case "fragment": fragment as Any
    case "lastPathComponent": lastPathComponent
    case "pathExtension": pathExtension
    default: nil
    }
  }
}

extension NSObject {
  fileprivate func objectProperty(_ key: String) -> Any? {
    switch key {
    case "hash": hash
    default: nil
    }
  }
}
