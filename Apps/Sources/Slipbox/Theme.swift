import CoreDataWebServer
import Foundation
import Synchronization

/// The file `theme.css` beside the notes, with which their owner gives the pages other colours, typefaces and measures.
///
/// The pages load it after their own styles. Their policy lets it load nothing from elsewhere. A missing file is an empty one,
/// and so is one that cannot be used, whose reason the program prints.
final class Theme: Sendable {
  private let file: URL
  private let report: @Sendable (String) -> Void
  /// The last reason, so that it is printed once and not with each page.
  private let last = Mutex<String?>(nil)

  /// Many times what a theme has.
  static let largest = 256 << 10

  /// - Parameters:
  ///   - file: The file; it is read for each page, so that a change of it is seen at the next one.
  ///   - report: Prints a sentence for the owner.
  init(
    _ file: URL,
    report: @escaping @Sendable (String) -> Void = { sentence in
      FileHandle.standardError.write(Data("slipbox: \(sentence)\n".utf8))
    }
  ) {
    self.file = file
    self.report = report
  }

  /// The styles, as the page gets them.
  func response() -> Response {
    var styles = Data()
    var problem: String?
    do throws(ThemeError) {
      styles = try contents()
    } catch {
      problem = "The theme \(file.path) is not used: \(error.sentence)"
    }
    tell(problem)
    if let problem {
      styles = Data("/* \(problem.replacing("*/", with: "* /")) */\n".utf8)
    }
    // The hash of data is one of its beginning alone.
    var hasher = Hasher()
    styles.withUnsafeBytes { hasher.combine(bytes: $0) }
    let tag = String(UInt(bitPattern: hasher.finalize()), radix: 16)
    return .data(styles, contentType: "text/css; charset=utf-8")
      .with("Cache-Control", "no-cache").with("ETag", "\"\(tag)\"")
  }

  private func tell(_ problem: String?) {
    let isNew = last.withLock { last in
      defer { last = problem }
      return last != problem
    }
    if let problem, isNew { report(problem) }
  }

  private func contents() throws(ThemeError) -> Data {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return Data() }
      throw ThemeError("it cannot be read: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ThemeError("it is not a file. Put a file of CSS in its place, or remove it.")
    }
    let data: Data
    do {
      data = try handle.read(upToCount: Self.largest + 1) ?? Data()
    } catch {
      throw ThemeError("it cannot be read: \(error.localizedDescription)")
    }
    guard data.count <= Self.largest else {
      throw ThemeError("it has more than \(Self.largest >> 10) KB. Make it smaller.")
    }
    guard String(validating: data, as: UTF8.self) != nil else {
      throw ThemeError("it is not a text in UTF-8. Save it as one in your editor.")
    }
    return data
  }
}

/// The reason why a theme cannot be used, as the end of a sentence.
private struct ThemeError: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }
}
