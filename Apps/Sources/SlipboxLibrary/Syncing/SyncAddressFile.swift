import Foundation

/// The file `sync-address` in a slip box's folder, which keeps the address of the server for synchronization.
///
/// The address has a token in it, so the file is for its owner's eyes only.
struct SyncAddressFile {
  private let file: URL

  init(in folder: URL) {
    file = folder.appendingPathComponent("sync-address")
  }

  /// The address; `nil` if the slip box is on this device only.
  var address: String? {
    get throws {
      guard FileManager.default.fileExists(atPath: file.path) else { return nil }
      let text = try String(contentsOf: file, encoding: .utf8)
      let address = text.trimmingCharacters(in: .whitespacesAndNewlines)
      return address.isEmpty ? nil : address
    }
  }

  /// Keeps an address in the place of another.
  func write(_ address: String) throws {
    // Nobody may read it between being made and being closed to others.
    let part = file.appendingPathExtension("part")
    try? FileManager.default.removeItem(at: part)
    let isMade = FileManager.default.createFile(
      atPath: part.path,
      contents: Data("\(address)\n".utf8),
      attributes: [.posixPermissions: 0o600]
    )
    guard isMade, rename(part.path, file.path) == 0 else {
      // A token must not stay where nobody looks for one.
      try? FileManager.default.removeItem(at: part)
      throw LibraryProblem.unable("The address cannot be written to \(file.path).")
    }
  }

  /// Throws if an address cannot be kept; leaves the kept one as it is.
  func requireWritable() throws {
    let kept = try address
    try write(kept ?? "")
    if kept == nil { try remove() }
  }

  func remove() throws {
    if unlink(file.path) == 0 || errno == ENOENT { return }
    throw LibraryProblem.unable("The address cannot be removed from \(file.path).")
  }
}
