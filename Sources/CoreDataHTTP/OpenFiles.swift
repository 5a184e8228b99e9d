import CoreDataCRuntime

/// The number of files that the process may have open.
///
/// Each connection is one.
enum OpenFiles {
  /// Raises the limit as far as the system lets this process, up to 8,192 or what so many connections need.
  static func raiseLimit(for connections: Int) {
    guard let limit else { return }
    let wanted = max(8_192, UInt(clamping: connections) + reserve)
    _ = coredata_allow_open_files(min(limit.most, max(limit.now, wanted)))
  }

  /// The number of connections that a server may have so that files are left for all else.
  ///
  /// The store and its readers need files, uploads, downloads, and the system's libraries, some of which end the program
  /// when they get none.
  static var roomForConnections: Int {
    guard let limit else { return 1_024 }
    return max(8, Int(clamping: limit.now) - Int(clamping: min(reserve, limit.now / 2)))
  }

  /// The files that are left for all else than connections.
  private static let reserve: UInt = 256

  private static var limit: (now: UInt, most: UInt)? {
    var (now, most): (UInt, UInt) = (0, 0)
    return coredata_open_files(&now, &most) ? (now, most) : nil
  }
}
