import Foundation

/// The journal of systemd, which more people may read than the files of a service.
enum Journal {
  /// Whether what is written to the descriptor goes there.
  ///
  /// Programs that systemd starts find the journal's device and inode in `JOURNAL_STREAM`; those that they start in turn
  /// find it as well, wherever their own output goes.
  static func takes(_ descriptor: Int32, stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }
}
