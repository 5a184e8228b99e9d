import CoreDataSyncCore

/// Remembers what people have written, independently of stamps and cells.
///
/// ```
/// a text that somebody has overwritten does not come back
/// what nobody has deleted is there
/// a note or a folder that somebody has deleted does not come back
/// what somebody has added to a set is in it, unless it was removed by one who had seen that
/// what was removed by somebody who had seen all that was added is not in the set
/// what a note is labelled with, by one who knew nothing of the label's deletion, is not deleted
/// a text that is not shown, and that nobody has seen and replaced, is a conflict of some device
/// ```
struct Oracle {
  /// The texts that replaced a text, with knowledge of it.
  private var overwritten: [String: Set<String>] = [:]
  /// The objects that texts were given to.
  private var owners: [String: String] = [:]
  private var made: Set<String> = []
  private var deleted: Set<String> = []
  /// The deeds that have deleted what nothing brings back.
  private var deletedForGood: [String: Set<String>] = [:]
  private var folders: [String: Set<String>] = [:]
  /// The deeds that have linked a pair, and those that have removed what such a deed had linked.
  private var linked: [Link: Set<String>] = [:]
  private var unlinked: [String: Set<String>] = [:]
  /// The deeds that a person had read, and perhaps not yet the pair, when the person took the pair apart.
  private var halfRead: Set<String> = []
  private var renamedTags: Set<String> = []
  private var labels: [String: [String?]] = [:]
  /// The deeds that a restored backup has lost, or may have.
  var lost: Set<String> = []
  /// Whether the server was put back to a time when it had cells that all have forgotten since.
  var mayReturnWhatWasForgotten = false

  /// A pair that people make and take apart: a note and a tag, a folder and a note that is pinned there, two notes.
  struct Link: Hashable, Comparable {
    let kind: Kind
    let owner: String
    let member: String

    enum Kind: String {
      case tag
      case pinned
      case related
    }

    /// The name of the owner's link.
    var name: String { "\(kind.rawValue) \(member)" }

    static func < (left: Link, right: Link) -> Bool {
      (left.owner, left.name) < (right.owner, right.name)
    }
  }

  mutating func note(text: String, of owner: String, over before: String?) {
    owners[text] = owner
    if let before { overwritten[before, default: []].insert(text) }
  }

  mutating func note(made key: String) { made.insert(key) }
  mutating func note(deleted key: String, by deed: String, isForGood: Bool) {
    deleted.insert(key)
    if isForGood { deletedForGood[key, default: []].insert(deed) }
  }
  mutating func note(_ note: String, in folder: String) {
    folders[note, default: []].insert(folder)
  }
  mutating func note(linked link: Link, by deed: String) {
    linked[link, default: []].insert(deed)
  }
  mutating func note(unlinked deeds: [String], by deed: String) {
    for linking in deeds { unlinked[linking, default: []].insert(deed) }
  }
  mutating func note(halfRead deeds: [String]) { halfRead.formUnion(deeds) }
  mutating func note(renamed tag: String) { renamedTags.insert(tag) }
  mutating func note(labelled note: String, _ label: String?) {
    labels[note, default: []].append(label)
  }
}

// MARK: - Objections

extension Oracle {
  /// The text of one device that is neither shown nor replaced by somebody who had seen it, nor kept as a conflict;
  /// `nil` for none.
  func objection(
    toLoss written: some Sequence<String>,
    kept: Set<String>,
    in graph: [GraphObject]
  ) -> String? {
    let texts = Dictionary(
      graph.compactMap { object in object.key.map { ($0, Set(object.texts.values)) } },
      uniquingKeysWith: { first, _ in first }
    )
    for text in written where overwritten[text] == nil && !lost.contains(text) {
      guard let owner = owners[text], let shown = texts[owner], !shown.contains(text),
        !kept.contains(text)
      else { continue }
      return "The text \(text) of \(owner) is lost without a conflict."
    }
    return nil
  }

  /// The fault in a graph in which all agree; `nil` for none.
  ///
  /// A device that was put back may make some objects and pairs again, whose ends all others have forgotten.
  func objection(
    to graph: [GraphObject],
    mayBeMadeAgain: (SyncID) -> Bool = { _ in false },
    mayHaveMemberAgain: (SyncID) -> Bool = { _ in false }
  ) -> String? {
    let objects = Dictionary(
      graph.compactMap { object in object.key.map { ($0, object) } },
      uniquingKeysWith: { first, _ in first }
    )
    return objection(toTextsOf: graph) ?? objection(toMissing: objects)
      ?? objection(toReturned: objects.filter { $1.identity.map(mayBeMadeAgain) != true })
      ?? objection(toLinksOf: objects, mayHaveMemberAgain) ?? objection(toLabelsOf: objects)
  }

  private func objection(toTextsOf graph: [GraphObject]) -> String? {
    for object in graph {
      for text in object.texts.values.sorted() {
        guard let later = overwritten[text]?.subtracting(lost).min() else { continue }
        return "The text \(text) of \(object.key ?? "?") is back, although \(later) replaced it."
      }
      if object.texts["left"] != object.texts["right"] {
        return "\(object.key ?? "?") has half of a pair."
      }
    }
    return nil
  }

  private func objection(toMissing objects: [String: GraphObject]) -> String? {
    for key in made.sorted()
    where objects[key] == nil && !deleted.contains(key) && !lost.contains(key) {
      if !wentWithFolder(key) { return "\(key) is missing, although nobody deleted it." }
    }
    return nil
  }

  private func objection(toReturned objects: [String: GraphObject]) -> String? {
    if mayReturnWhatWasForgotten { return nil }
    for (key, deeds) in deletedForGood.sorted(by: { $0.key < $1.key }) where objects[key] != nil {
      if !deeds.isSubset(of: lost) { return "\(key) is back, although it was deleted." }
    }
    return nil
  }

  private func wentWithFolder(_ key: String) -> Bool {
    folders[key]?.contains { deleted.contains($0) || lost.contains($0) } ?? false
  }

  private func objection(
    toLinksOf objects: [String: GraphObject],
    _ mayHaveMemberAgain: (SyncID) -> Bool
  ) -> String? {
    for (link, deeds) in linked.sorted(by: { $0.key < $1.key }) {
      guard let links = objects[link.owner]?.links, mayHaveMember(link, objects) else { continue }
      let standing = deeds.filter {
        unlinked[$0] == nil && !halfRead.contains($0) && !lost.contains($0)
      }
      if let deed = standing.min(), !links.contains(link) {
        return "\(link.owner) has lost the \(link.name), which it got with \(deed)."
      }
      let areGone = deeds.allSatisfy { unlinked[$0]?.isSubset(of: lost) == false }
      let ends = [link.owner, link.member].compactMap { objects[$0]?.identity }
      if areGone, links.contains(link), !ends.contains(where: mayHaveMemberAgain) {
        return "\(link.owner) has the \(link.name) again, although it was taken away."
      }
    }
    return nil
  }

  /// Whether a member is there; tags cannot be deleted while notes have them, and others may have got their names.
  private func mayHaveMember(_ link: Link, _ objects: [String: GraphObject]) -> Bool {
    switch link.kind {
    case .tag: !renamedTags.contains(link.member)
    case .pinned, .related: objects[link.member] != nil
    }
  }

  private func objection(toLabelsOf objects: [String: GraphObject]) -> String? {
    for (note, all) in labels.sorted(by: { $0.key < $1.key }) {
      guard all.count == 1, let label = all[0], let object = objects[note],
        lost.isDisjoint(with: [label, note, "\(note)=\(label)"]), !wentWithFolder(note)
      else { continue }
      if object.label != label { return "\(note) has lost its label \(label)." }
    }
    return nil
  }
}
