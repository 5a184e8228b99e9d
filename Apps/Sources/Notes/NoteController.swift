import CoreData

/// The page of one note: it tells when the label that names its category has to change.
///
/// Whoever sets the category, from whichever side, the context says so at the end of the event.
///
/// Safety: belongs to its context's queue, on which the notification is posted too.
final class NoteController: @unchecked Sendable {
  private let note: Note
  private let labelDidChange: (String) -> Void
  private var observer: (any NSObjectProtocol)?
  private(set) var categoryLabel = ""

  init(_ note: Note, labelDidChange: @escaping (String) -> Void) {
    self.note = note
    self.labelDidChange = labelDidChange
    categoryLabel = label
    setupNotificationHandling()
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }

  private func setupNotificationHandling() {
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: note.managedObjectContext,
      queue: nil
    ) { [weak self] notification in
      self?.managedObjectContextObjectsDidChange(notification)
    }
  }

  /// Looks whether the note is among what changed, or the category whose name is shown.
  ///
  /// What another context saved comes as refreshed objects.
  private func managedObjectContextObjectsDidChange(_ notification: Notification) {
    guard let userInfo = notification.userInfo else { return }
    let keys = [NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey]
    let changed = keys.compactMap { userInfo[$0] as? Set<NSManagedObject> }
    let shown: [NSManagedObject] = [note] + (note.category.map { [$0] } ?? [])
    if changed.contains(where: { !$0.isDisjoint(with: shown) }) { updateCategoryLabel() }
  }

  private func updateCategoryLabel() {
    guard categoryLabel != label else { return }
    categoryLabel = label
    labelDidChange(categoryLabel)
  }

  private var label: String { note.category?.name ?? "No Category" }
}
