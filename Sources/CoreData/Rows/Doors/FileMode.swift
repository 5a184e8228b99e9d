import Foundation

/// The permissions of a file, for other files that get its contents.
///
/// A copy, a backup or a conversion of a file that only its owner may read must not be one that all may read, not
/// even while it is being made. The copy can be written by its maker, because it has to be filled; the original, such
/// as a file of a phone's backup, may be one that can only be read.
package struct FileMode: Equatable, Sendable {
  private let bits: mode_t

  /// `nil` if the file does not exist.
  package init?(of path: String) {
    var state = stat()
    guard stat(path, &state) == 0 else { return nil }
    bits = (state.st_mode & 0o777) | 0o600
  }

  /// Makes an empty file for this mode's readers and writers; one that is there stays as it is.
  package func makeFile(at path: String) {
    // If this fails, filling the file reports the error.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, bits & 0o700)
    guard descriptor >= 0 else { return }
    // Not less than the original has, whatever the process takes away from new files.
    fchmod(descriptor, bits)
    close(descriptor)
  }

  /// Gives the mode to a file that is open.
  func apply(to descriptor: Int32) { fchmod(descriptor, bits) }

  /// Gives the mode to a file in which nothing of the original is yet.
  func apply(at path: String) { chmod(path, bits) }

  /// The mode of a folder with such files: readers of the files may search it.
  var ofFolder: NSNumber {
    let search = (bits & 0o444) >> 2
    return NSNumber(value: UInt32((bits & 0o666) | search | 0o700))
  }
}
