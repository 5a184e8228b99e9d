import CoreDataSwiftCode
import Foundation

/// A Swift file as it is read for porting.
struct PortedSource {
  let path: String
  let bytes: [UInt8]
  let tokens: [SwiftToken]
  /// Whether lines end with a carriage return and a line feed.
  private let hasCarriageReturns: Bool

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    tokens = SwiftLexer.tokens(of: bytes)
    let firstEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    hasCarriageReturns = firstEnd > 0 && bytes[firstEnd - 1] == UInt8(ascii: "\r")
  }

  /// A text with the line ends that the file has.
  func withOwnLineEnds(_ text: String) -> String {
    let plain = text.replacing("\r\n", with: "\n")
    return hasCarriageReturns ? plain.replacing("\n", with: "\r\n") : plain
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// The Swift files below a path.
enum SourceFiles {
  /// Larger files are nobody's source.
  private static let largest = 4 << 20
  private static let skipped: Set<String> = ["Pods", "Carthage", "DerivedData", "build"]

  static func all(at path: String) throws -> [PortedSource] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Refusal("\(path): there is no such file or folder")
    }
    guard isFolder.boolValue else {
      guard path.hasSuffix(".swift") else {
        throw Refusal("\(path) is no Swift file; name Swift files, or folders with Swift files")
      }
      return [try file(at: path)]
    }
    let folder = path == "." ? "" : path.hasSuffix("/") ? path : "\(path)/"
    let names = try refusing { try FileManager.default.subpathsOfDirectory(atPath: path) }
    return try names.sorted().filter(isSource).map { try file(at: folder + $0) }
  }

  private static func isSource(_ name: String) -> Bool {
    guard name.hasSuffix(".swift") else { return false }
    return !name.split(separator: "/").contains {
      $0.hasPrefix(".") || skipped.contains(String($0))
    }
  }

  private static func file(at path: String) throws -> PortedSource {
    let data = try refusing { try Data(contentsOf: URL(filePath: path)) }
    guard data.count <= largest else {
      throw Refusal("\(path) has \(data.count) bytes; port takes Swift files of up to \(largest)")
    }
    return PortedSource(path: path, bytes: [UInt8](data))
  }
}
