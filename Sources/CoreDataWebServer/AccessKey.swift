import CoreDataCSodium
public import Foundation

/// A secret that lets a browser in: first in the address that the program prints, then in a cookie.
///
/// ```
/// http://127.0.0.1:8080/?access=SECRET ─▶ 303 /   Set-Cookie: slipbox-8080=SECRET; HttpOnly; SameSite=Strict
/// GET /api/notes   Cookie: slipbox-8080=SECRET ─▶ 200
/// GET /api/notes                                ─▶ 401
/// ```
///
/// Every request needs it. The secret is kept in a file that only its owner can read, so that browsers stay known when
/// the program starts again.
public struct AccessKey: Sendable, Equatable {
  /// The name of the program, with which its cookie begins.
  public let program: String
  /// 32 random bytes in hexadecimal.
  public let secret: String
  /// The file that keeps the secret.
  let file: URL?
  /// Whether the secret is new and not yet in the file.
  private var isNew: Bool

  /// Makes a new secret that no file keeps.
  public init(program: String) {
    self.init(program: program, in: nil)
  }

  /// Makes a new secret for a file.
  ///
  /// The file keeps its old secret until a server with this key listens, so that a program that cannot start changes
  /// nothing. After that, browsers with the old secret are strangers.
  public init(program: String, in file: URL?) {
    self.program = program
    self.file = file
    isNew = file != nil
    var numbers = SystemRandomNumberGenerator()
    secret = (0..<4).map { _ in
      let digits = String(numbers.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private init?(program: String, text: String, in file: URL) {
    let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard secret.utf8.count == 64, secret.utf8.allSatisfy(\.isHexDigit) else { return nil }
    self.program = program
    self.secret = secret
    self.file = file
    isNew = false
  }

  /// Returns whether `text` is the secret.
  ///
  /// The time that this takes does not depend on where the two differ.
  func isSame(_ text: String) -> Bool {
    let (mine, theirs) = (Array(secret.utf8), Array(text.utf8))
    return mine.count == theirs.count && sodium_memcmp(mine, theirs, mine.count) == 0
  }
}

// MARK: - In a file

extension AccessKey {
  /// Returns the key that a file keeps.
  ///
  /// If there is no such file, this makes one with a new secret and mode 0600.
  /// A file that others could have read or written, or that lacks a key, is replaced by one with a new secret;
  /// browsers then need the new address.
  ///
  /// - Throws: A `Problem` if the file cannot be written.
  public static func kept(in file: URL, program: String) throws -> AccessKey {
    let place = PrivateFile(url: file)
    if let text = place.contents(limit: 128),
      let key = AccessKey(program: program, text: text, in: file)
    {
      return key
    }
    var key = AccessKey(program: program, in: file)
    try place.write(key.text)
    key.isNew = false
    return key
  }

  /// Writes a new secret to its file; does nothing if the file has it already.
  ///
  /// - Throws: A `Problem` if the file cannot be written.
  func keep() throws {
    if isNew, let file { try PrivateFile(url: file).write(text) }
  }

  private var text: String { secret + "\n" }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self) }
}
