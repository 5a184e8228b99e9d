/// Remembers what people have written, independently of stamps and cells.
///
/// ```
/// a text that somebody has overwritten does not come back
/// what nobody has deleted is there
/// what somebody has added to a set, and nobody removed, is in it
/// ```
struct Oracle {
  /// The texts that replaced a text, with knowledge of it.
  private var overwritten: [String: Set<String>] = [:]
  private var made: Set<String> = []
  private var deleted: Set<String> = []
  private var folders: [String: Set<String>] = [:]
  private var linked: Set<Link> = []
  private var unlinked: Set<Link> = []
  /// What a restored backup has lost, or may have.
  var lost: Set<String> = []

  struct Link: Hashable {
    let note: String
    let tag: String
  }

  mutating func note(text: String, over before: String?) {
    if let before { overwritten[before, default: []].insert(text) }
  }

  mutating func note(made key: String) { made.insert(key) }
  mutating func note(deleted key: String) { deleted.insert(key) }
  mutating func note(_ note: String, in folder: String) {
    folders[note, default: []].insert(folder)
  }
  mutating func note(linked link: Link) { linked.insert(link) }
  mutating func note(unlinked link: Link) { unlinked.insert(link) }

  /// What is wrong with a graph in which all agree; nil for nothing.
  func objection(to graph: [GraphObject]) -> String? {
    let present = Set(graph.compactMap(\.key))
    for object in graph {
      if let title = object.texts["title"], let later = overwritten[title]?.subtracting(lost).min()
      {
        return "The text \(title) of \(object.key ?? "?") is back, although \(later) replaced it."
      }
      if object.texts["left"] != object.texts["right"] {
        return "\(object.key ?? "?") has half of a pair."
      }
    }
    for key in made.sorted()
    where !present.contains(key) && !deleted.contains(key) && !lost.contains(key) {
      let wentWithFolder =
        folders[key]?.contains { deleted.contains($0) || lost.contains($0) } ?? false
      if !wentWithFolder { return "\(key) is missing, although nobody deleted it." }
    }
    let tagged = Dictionary(
      graph.filter { $0.key != nil }.map { ($0.key ?? "", $0.tags) },
      uniquingKeysWith: { first, _ in first }
    )
    for link in linked.subtracting(unlinked).sorted(by: { ($0.note, $0.tag) < ($1.note, $1.tag) }) {
      guard let tags = tagged[link.note], !lost.contains("\(link.note)+\(link.tag)"),
        !deleted.contains("tag \(link.tag)")
      else { continue }
      if !tags.contains(link.tag) { return "\(link.note) has lost the tag \(link.tag)." }
    }
    return nil
  }
}

/// One object of a store, as text.
struct GraphObject: Hashable, Comparable {
  let line: String
  let key: String?
  let texts: [String: String]
  let tags: Set<String>

  static func < (left: GraphObject, right: GraphObject) -> Bool { left.line < right.line }
}
