import Synchronization

/// The templates of the formats that were parsed lately.
///
/// Programs have a few dozen formats; the cache fills only with texts that were built with their
/// values inside, which never come again. So a full cache is simply emptied.
final class FormatCache<Tree: Sendable>: Sendable {
  private let templates = Mutex<[Spelling: FormatTemplate<Tree>]>([:])
  private let capacity = 512

  func template(for format: String) -> FormatTemplate<Tree>? {
    templates.withLock { $0[Spelling(format)] }
  }

  func keep(_ template: FormatTemplate<Tree>, for format: String) {
    templates.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[Spelling(format)] = template
    }
  }
}

/// A text as it is spelled: `é` and `e` with an accent behind it are two.
struct Spelling: Hashable, Sendable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (one: Spelling, other: Spelling) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
