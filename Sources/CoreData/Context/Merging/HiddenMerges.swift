/// Saved changes of others that unsaved changes of this context hide, until those are undone or saved.
///
/// ```
/// stored        note ─▶ C                        C.notes  note
/// here          note ─▶ E, unsaved               E.notes  note
/// others save   note ─▶ D                        D.notes  –         D hides a stored member
/// rollback      note ─▶ D                        D.notes  note
/// ```
///
/// Empty unless there are such changes.
struct HiddenMerges {
  /// Owners of relationships whose stored members have left by changes of their own; the owner itself
  /// may be unchanged.
  private(set) var owners: Set<NSManagedObject> = []
  /// Objects that are deleted here and have newer rows.
  private(set) var outdated: Set<NSManagedObject> = []

  mutating func note(membersOf owner: NSManagedObject) { owners.insert(owner) }

  mutating func note(newerRowOf object: NSManagedObject) { outdated.insert(object) }

  mutating func removeOutdated(_ object: NSManagedObject) -> Bool {
    !outdated.isEmpty && outdated.remove(object) != nil
  }
}

extension NSManagedObjectContext {
  /// The changes were undone: the hidden merges show.
  func showHiddenMerges() {
    let hidden = merges.hidden
    merges.hidden = HiddenMerges()
    for owner in hidden.owners { owner.forEachCollection { $0.revert() } }
    for object in hidden.outdated { renew(object, mergeChanges: true) }
  }

  /// The changes were saved: members that had left by them are stored elsewhere now.
  func forgetHiddenMerges() {
    let hidden = merges.hidden
    merges.hidden = HiddenMerges()
    for owner in hidden.owners where !owner.hasChanges {
      owner.forEachCollection { $0.forgetChanges() }
    }
  }

  /// An object that was deleted here is back, and takes the row that others have saved since.
  func renewIfOutdated(_ object: NSManagedObject) {
    if merges.hidden.removeOutdated(object) { renew(object, mergeChanges: true) }
  }
}

extension NSManagedObject {
  /// Gives a collection its stored members, without those that have left it by unsaved changes.
  func load(_ collection: ToMany, with stored: [NSManagedObject], at slot: Int) {
    collection.load(
      stored,
      without: gone(among: stored, at: slot),
      mayRepeat: layout.isPaired(slot)
    )
  }

  /// Puts the order of a collection on members that are stored now, without those that have left.
  func rebase(_ collection: ToMany, onto stored: [NSManagedObject], at slot: Int) {
    collection.rebase(onto: stored, without: gone(among: stored, at: slot))
  }

  private func gone(among stored: [NSManagedObject], at slot: Int) -> [NSManagedObject] {
    let inverse = layout.slots[slot].end?.inverse
    let gone = stored.filter { $0.hasLeft(self, at: inverse) }
    if !gone.isEmpty { managedObjectContext?.merges.hidden.note(membersOf: self) }
    return gone
  }

  fileprivate func forEachCollection(_ body: (ToMany) -> Void) {
    guard let overlay = existingOverlay else { return }
    for slot in overlay.present {
      if case .collection(let collection) = overlay[slot] { body(collection) }
    }
  }
}
