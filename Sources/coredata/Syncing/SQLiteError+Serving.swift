import CoreDataSQLite
import Foundation

extension SQLiteError {
  /// The reason why the file with a server's zones cannot be used, and the advice.
  func sentence(ofServerAt file: URL) -> String {
    let path = file.path
    if hasNoRoom, FileSizeLimit.isSet {
      return """
        \(path) cannot be written: its disk is full, or a file would be larger than the system lets files of this \
        program be. Raise that limit, as with ulimit -f unlimited, make room, or choose another folder.
        """
    }
    if [EMFILE, ENFILE].contains(systemNumber) {
      return """
        \(path) cannot be opened, because the system lets this program open no more files. Start it with a higher \
        limit, such as with ulimit -n 4096.
        """
    }
    if hasNoRoom {
      return """
        \(path) cannot be written, because its disk is full. Make room on it, or choose another folder.
        """
    }
    switch Int(primaryCode) {
    case 26:
      return """
        \(path) is no database, so it is no file of coredata serve, or its beginning is damaged. Choose another folder, \
        put a backup in its place, or start the server once with --salvage, to which devices send again what they have.
        """
    case 11:
      return """
        \(path) is damaged: \(message). Start the server once with --salvage, which keeps what can be read; devices send \
        the rest again. Or put a backup in its place.
        """
    // Not permitted, read only, not to be opened.
    case 3, 8, 14:
      return """
        \(path) cannot be read and written\(Self.reason(for: path)). Run the command as the user who owns the file, \
        make it and its folder writable, or choose another folder.
        """
    // Busy and locked.
    case 5, 6:
      return "Another program works on \(path) and does not end. Close it, and try again."
    case _:
      return "\(path) cannot be used: \(message). Look at its folder, or choose another."
    }
  }

  /// The system's message about a file that cannot be used, in brackets; empty if the system sees no reason.
  private static func reason(for path: String) -> String {
    access(path, R_OK | W_OK) == 0 ? "" : " (\(String(cString: strerror(errno))))"
  }
}
