import Foundation

/// A file in folders beneath a store's, read without following a symbolic link that somebody has put in
/// the way, and only if it is a file: a pipe would wait for ever.
struct PlainFile {
  private let folder: String
  private let steps: [String]

  /// `steps` lead from the store's folder to the file, one name each.
  init(in folder: URL, _ steps: [String]) {
    self.folder = folder.path
    self.steps = steps
  }

  /// As many bytes are read: a file of holes may say of itself that it is larger than all memory.
  static let greatestSize = Int(Int32.max)

  /// The bytes; `nil` if the file is missing, not a regular file, or too large.
  func contents() -> Data? {
    withDescriptor { descriptor, size in
      guard size <= Self.greatestSize else { return nil }
      var data = Data(count: size)
      var count = 0
      while count < size {
        let got = data.withUnsafeMutableBytes {
          read(descriptor, $0.baseAddress.map { $0 + count }, size - count)
        }
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        count += got
      }
      return data.prefix(count)
    }
  }

  /// The size in bytes, even if the file is too large to be read.
  var size: Int? { withDescriptor { _, size in size } }

  private func withDescriptor<Result>(_ body: (Int32, Int) -> Result?) -> Result? {
    // The store's own folder is where the program says, through links or not.
    var place = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, name) in steps.enumerated() {
      guard place >= 0 else { return nil }
      let isLast = index == steps.count - 1
      let kind = isLast ? O_NONBLOCK : O_DIRECTORY
      let next = openat(place, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
      close(place)
      place = next
    }
    guard place >= 0 else { return nil }
    defer { close(place) }
    var state = stat()
    guard fstat(place, &state) == 0, state.st_mode & S_IFMT == S_IFREG else { return nil }
    return body(place, Int(state.st_size))
  }
}
