import CoreData
import Pictures
import Synchronization

/// The numbers of pages of the PDFs that were looked at last, and those that cannot be read.
///
/// The key is the identity of the attachment, whose contents stay the same.
final class PageShelf: Sendable {
  private struct Contents {
    var counts: [NSManagedObjectID: Int] = [:]
    var failures: [NSManagedObjectID: PDFError] = [:]
  }

  private let contents = Mutex(Contents())
  private static let most = 10_000

  func pageCount(of file: NSManagedObjectID) -> Int? { contents.withLock { $0.counts[file] } }

  func failure(of file: NSManagedObjectID) -> PDFError? { contents.withLock { $0.failures[file] } }

  func keep(_ count: Int, for file: NSManagedObjectID) {
    contents.withLock { contents in
      if contents.counts.count >= Self.most { contents.counts.removeAll() }
      contents.counts[file] = count
    }
  }

  /// Keeps in mind that a file cannot be read, unless that may pass or is about one page.
  func keep(_ error: PDFError, for file: NSManagedObjectID) {
    switch error {
    case .damaged, .tooLarge: break
    case .noPage, .tooDear, .noReader, .noTool, .noHelper: return
    }
    contents.withLock { contents in
      if contents.failures.count >= Self.most { contents.failures.removeAll() }
      contents.failures[file] = error
    }
  }
}
