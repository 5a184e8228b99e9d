// swift-format-ignore-file
import Foundation

extension NSAttributedString {
  func toData() -> Data? {
    return Data(string.utf8) // Linux: Foundation reads and writes no RTF
   }
}

extension Data {
   func toAttributedString() -> NSAttributedString? {
       let result = String(data: self, encoding: .utf8) // Linux: Foundation reads and writes no RTF
       return result.map { NSAttributedString(string: $0) } // Linux: the same
   }
}
