import Foundation

/// The texts that `%s` and `%S` take: Swift's, Foundation's, and C's by their address.
enum CText {
  static func text(_ argument: Any?) -> String? {
    switch argument {
    case let bytes as UnsafePointer<CChar>: String(cString: bytes)
    case let bytes as UnsafeMutablePointer<CChar>: String(cString: bytes)
    case let bytes as UnsafePointer<UInt8>: String(cString: bytes)
    case let bytes as UnsafeMutablePointer<UInt8>: String(cString: bytes)
    case let units as UnsafePointer<UInt16>: String(decodingCString: units, as: UTF16.self)
    case let units as UnsafeMutablePointer<UInt16>: String(decodingCString: units, as: UTF16.self)
    case let value:
      if case .text(let text) = Operand(value) { text } else { nil }
    }
  }
}
