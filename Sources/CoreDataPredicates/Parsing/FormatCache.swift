import Synchronization

/// The templates of the formats that were parsed lately.
///
/// Programs have a few dozen formats; what fills it up is text that was built with
/// its values inside, which never comes again. So a full cache simply starts anew.
final class FormatCache<Tree: Sendable>: Sendable {
  private let templates = Mutex<[String: FormatTemplate<Tree>]>([:])
  private let capacity = 512

  func template(for format: String) -> FormatTemplate<Tree>? {
    templates.withLock { $0[format] }
  }

  func keep(_ template: FormatTemplate<Tree>, for format: String) {
    templates.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[format] = template
    }
  }
}
