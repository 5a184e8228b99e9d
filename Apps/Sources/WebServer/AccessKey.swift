public import Foundation

/// What lets a browser in: a secret in the address that the program prints, and then in a cookie.
///
/// ```
/// http://127.0.0.1:8080/?access=SECRET ─▶ 303 /   Set-Cookie: slipbox-8080=SECRET; HttpOnly; SameSite=Strict
/// GET /api/notes   Cookie: slipbox-8080=SECRET ─▶ 200
/// GET /api/notes                                ─▶ 401
/// ```
///
/// Every request needs it, whatever it asks for. The secret is kept in a file that only its owner can read, so that a
/// browser that was let in once still is when the program starts again.
public struct AccessKey: Sendable, Equatable {
  /// The name of the program, with which its cookie begins.
  public let program: String
  /// 32 random bytes in hexadecimal.
  public let secret: String
  /// Where it is kept.
  let file: URL?

  /// A new secret.
  public init(program: String) {
    self.init(program: program, in: nil)
  }

  private init(program: String, in file: URL?) {
    self.program = program
    self.file = file
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
  }

  /// Whether a text is the secret; how long that takes says nothing about where it differs.
  func isSame(_ text: String) -> Bool {
    let (mine, theirs) = (Array(secret.utf8), Array(text.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }
}

// MARK: - In a file

extension AccessKey {
  /// The key in a file, which is made, with mode 0600, where there is none.
  ///
  /// A file that others could have read or written, or that holds no key, is replaced by one with a new
  /// secret: browsers are then let in by the new address.
  ///
  /// - Throws: A `Problem` where the file cannot be written.
  public static func kept(in file: URL, program: String) throws -> AccessKey {
    if let text = contents(of: file), let key = AccessKey(program: program, text: text, in: file) {
      return key
    }
    let key = AccessKey(program: program, in: file)
    try key.write(to: file)
    return key
  }

  /// What a file of ours says that nobody else can read; nil for any other.
  private static func contents(of file: URL) -> String? {
    let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Puts the secret into a new file, and that in the place of the old one.
  private func write(to file: URL) throws {
    let new = file.appendingPathExtension("new-\(getpid())")
    unlink(new.path)
    let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.cannotKeep(file) }
    let bytes = Array((secret + "\n").utf8)
    let isWritten =
      Foundation.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isWritten, rename(new.path, file.path) == 0 else {
      let problem = Self.cannotKeep(file)
      unlink(new.path)
      throw problem
    }
  }

  private static func cannotKeep(_ file: URL) -> Problem {
    Problem(
      500,
      "The access key \(file.path) cannot be written: \(String(cString: strerror(errno)))."
    )
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self) }
}
