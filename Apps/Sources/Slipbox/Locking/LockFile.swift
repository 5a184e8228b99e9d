import CoreDataStrictJSON
import CoreDataWebServer
import Foundation

/// The file `lock` in the folder of the slip box.
///
/// ```json
/// {"version": 1, "passphrase": "$argon2id$v=19$m=65536,t=2,p=1$…", "minutes": 5}
/// ```
///
/// The passphrase is a hash with its salt (`PassphraseHash`). Without the file, everything is open: somebody who has forgotten
/// the passphrase, and may delete files of the slip box, deletes this one. If it cannot be read, everything is locked.
struct LockFile: Sendable {
  /// The lock that the file describes.
  enum Contents: Sendable {
    case missing
    case lock(Settings)
    case damaged

    var isDamaged: Bool {
      if case .damaged = self { true } else { false }
    }

    /// `nil` if nobody can bring one.
    var passphrase: PassphraseHash? {
      if case .lock(let settings) = self { settings.passphrase } else { nil }
    }
  }

  struct Settings: Sendable, Equatable {
    let passphrase: PassphraseHash
    /// The minutes without activity after which a browser is locked.
    let minutes: Int
  }

  /// The properties of the file by which a change is noticed.
  struct Stamp: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  /// The choices of the idle time.
  static let minutes = [1, 5, 15, 30, 60]
  private static let longest = 1_000

  private let file: PrivateFile

  init(in folder: URL) {
    file = PrivateFile(url: folder.appendingPathComponent("lock"))
  }

  /// `nil` if the file is missing.
  var stamp: Stamp? {
    var status = stat()
    guard lstat(file.url.path, &status) == 0 else { return nil }
    return Stamp(
      inode: UInt64(status.st_ino),
      size: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec
    )
  }

  func read() -> Contents {
    guard let stamp else { return .missing }
    guard stamp.size <= Self.longest, let text = file.contents(limit: Self.longest),
      let written = Written(text), written.version == Written.current,
      Self.minutes.contains(written.minutes),
      let passphrase = PassphraseHash(text: written.passphrase)
    else { return .damaged }
    return .lock(Settings(passphrase: passphrase, minutes: written.minutes))
  }

  func write(_ settings: Settings) throws {
    let written = Written(
      version: Written.current,
      passphrase: settings.passphrase.text,
      minutes: settings.minutes
    )
    try file.write(String(decoding: try JSON.encoder().encode(written), as: UTF8.self) + "\n")
  }

  func remove() throws {
    guard unlink(file.url.path) == 0 || errno == ENOENT else {
      throw Problem(
        500,
        "The file \(file.url.path) cannot be removed: \(String(cString: strerror(errno)))."
      )
    }
  }

  /// The sentence for a file that cannot be read.
  var damage: String {
    """
    The slip box is locked, and the file \(file.url.path), which has its passphrase, cannot be read. Delete it on the machine \
    that runs Slipbox, and set a new lock.
    """
  }

  fileprivate struct Written: Codable {
    static let current = 1

    let version: Int
    let passphrase: String
    let minutes: Int
  }
}

extension LockFile.Written {
  /// Reads the text of a file; returns `nil` if it is something else.
  fileprivate init?(_ text: String) {
    do {
      self = try JSONReading.decode(from: try JSONValue(parsing: Data(text.utf8)))
    } catch {
      // The remedy is the same for all that can be wrong with it.
      return nil
    }
  }
}
