import CoreData
import TestSupport

/// One context and the plain values that it should hold, changed by the same random steps.
struct RandomWork {
  let context: NSManagedObjectContext
  var plain: PlainNotes
  /// The steps so far, to tell what led to a failure.
  private(set) var steps: [String] = []
  /// The notes whose titles were set here since the last save.
  private(set) var retitled: Set<String> = []
  private var count = 0
  private let prefix: String

  init(_ context: NSManagedObjectContext, _ plain: PlainNotes, prefix: String) {
    self.context = context
    self.plain = plain
    self.prefix = prefix
  }

  mutating func begin(_ plain: PlainNotes) {
    self.plain = plain
    retitled = []
    steps = []
  }

  private mutating func newKey(_ kind: String) -> String {
    count += 1
    return "\(prefix)\(kind)\(count)"
  }
}

// MARK: - Finding

extension RandomWork {
  private func note(_ key: String) throws -> Note {
    try context.fetch(Note.fetchRequest()).first { $0.key == key } ?? Note(context: context)
  }

  private func folder(_ name: String) throws -> Folder {
    try context.fetch(Folder.fetchRequest()).first { $0.name == name } ?? Folder(context: context)
  }

  private func tag(_ name: String) throws -> TestSupport.Tag {
    try context.fetch(TestSupport.Tag.fetchRequest()).first { $0.name == name }
      ?? TestSupport.Tag(context: context)
  }
}

// MARK: - Steps

extension RandomWork {
  /// One random step, here and in the plain values.
  mutating func step(_ dice: inout Dice) throws {
    let note = plain.notes.keys.sorted().randomElement(using: &dice)
    let other = plain.notes.keys.sorted().randomElement(using: &dice)
    let folder = plain.folders.keys.sorted().randomElement(using: &dice)
    let second = plain.folders.keys.sorted().randomElement(using: &dice)
    let tag = plain.tags.keys.sorted().randomElement(using: &dice)
    switch Int.random(in: 0..<16, using: &dice) {
    case 0, 1: insertNote(&dice)
    case 2: insertOther(&dice)
    case 3: if let note { try setValues(note, &dice) }
    case 4, 5: if let note { try move(note, to: folder, &dice) }
    case 6: if let folder, folder != second { try setParent(folder, second) }
    case 7, 8: if let note, let tag { try setTag(note, tag, &dice) }
    case 9: if let note, let other { try relate(note, other, &dice) }
    case 10, 11: if let note, let folder { try pin(note, folder, &dice) }
    case 12: if let folder { try cover(folder, Bool.random(using: &dice) ? note : nil, &dice) }
    case 13: try delete(note, folder, tag, &dice)
    case 14: try refresh(&dice)
    case _: context.processPendingChanges()
    }
  }

  private mutating func insertNote(_ dice: inout Dice) {
    let key = newKey("n")
    steps.append("insert \(key)")
    let note = Bool.random(using: &dice) ? Note(context: context) : Checklist(context: context)
    note.text = key
    note.title = "T"
    plain.notes[key] = PlainNotes.PlainNote(title: "T")
  }

  private mutating func insertOther(_ dice: inout Dice) {
    if Bool.random(using: &dice) {
      let name = newKey("f")
      steps.append("insert \(name)")
      context.folder(name)
      plain.folders[name] = PlainNotes.PlainFolder()
    } else {
      let name = newKey("t")
      steps.append("insert \(name)")
      context.tag(name)
      plain.tags[name] = []
    }
  }

  private mutating func setValues(_ key: String, _ dice: inout Dice) throws {
    let stars = Int.random(in: 0...5, using: &dice)
    let title = "T\(stars)\(prefix)"
    steps.append("set \(key) to \(title)")
    let note = try note(key)
    note.title = title
    note.stars = Int16(stars)
    plain.notes[key]?.title = title
    plain.notes[key]?.stars = stars
    retitled.insert(key)
  }

  private mutating func move(_ key: String, to name: String?, _ dice: inout Dice) throws {
    let note = try note(key)
    let target = Int.random(in: 0..<4, using: &dice) == 0 ? nil : name
    steps.append("move \(key) to \(target ?? "nowhere")")
    switch (target, Bool.random(using: &dice)) {
    case (let target?, true): try folder(target).addToNotes(note)
    case (let target?, false): note.folder = try folder(target)
    case (nil, true): note.folder?.removeFromNotes(note)
    case (nil, false): note.folder = nil
    }
    plain.notes[key]?.folder = target
  }

  private mutating func setParent(_ name: String, _ parent: String?) throws {
    steps.append("put \(name) into \(parent ?? "nothing")")
    try folder(name).parent = try parent.map(folder)
    plain.folders[name]?.parent = parent
  }

  private mutating func setTag(_ key: String, _ name: String, _ dice: inout Dice) throws {
    let (note, tag) = (try note(key), try tag(name))
    let tagged = Bool.random(using: &dice)
    steps.append("\(tagged ? "tag" : "untag") \(key) with \(name)")
    switch (tagged, Bool.random(using: &dice)) {
    case (true, true): note.addToTags(tag)
    case (true, false): tag.addToNotes(note)
    case (false, true): note.removeFromTags(tag)
    case (false, false): tag.removeFromNotes(note)
    }
    plain.tag(key, name, tagged)
  }

  private mutating func relate(_ one: String, _ other: String, _ dice: inout Dice) throws {
    let related = Int.random(in: 0..<3, using: &dice) > 0
    steps.append("\(related ? "relate" : "part") \(one), \(other)")
    if related {
      try note(one).addToRelated(try note(other))
    } else {
      try note(one).removeFromRelated(try note(other))
    }
    plain.relate(one, other, related)
  }

  private mutating func pin(_ key: String, _ name: String, _ dice: inout Dice) throws {
    let (note, folder) = (try note(key), try folder(name))
    let pinned = plain.folders[name]?.pinned ?? []
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      steps.append("unpin \(key)")
      note.pinnedIn = nil
      plain.unpin(key)
    case 1 where pinned.count > 1:
      let (from, to) = (pinned.indices.last ?? 0, Int.random(in: 0..<pinned.count, using: &dice))
      steps.append("move pin \(from) of \(name) to \(to)")
      folder.mutableOrderedSetValue(forKey: "pinned").moveObjects(at: [from], to: to)
      plain.folders[name]?.pinned.insert(pinned[from], at: to)
      plain.folders[name]?.pinned.removeLast()
    case _:
      let index = Int.random(in: 0...pinned.count, using: &dice)
      steps.append("pin \(key) in \(name) at \(index)")
      folder.insertIntoPinned(note, at: index)
      plain.pin(key, in: name, at: index)
    }
  }

  private mutating func cover(_ name: String, _ key: String?, _ dice: inout Dice) throws {
    steps.append("cover \(name) with \(key ?? "nothing")")
    if let key, Bool.random(using: &dice) {
      try note(key).covers = try folder(name)
    } else {
      try folder(name).cover = try key.map(note)
    }
    plain.setCover(key, of: name)
  }

  private mutating func delete(
    _ key: String?,
    _ name: String?,
    _ tagName: String?,
    _ dice: inout Dice
  ) throws {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      guard let name else { return }
      steps.append("delete \(name)")
      context.delete(try folder(name))
      plain.deleteFolder(name)
    case 1:
      guard let tagName, plain.tags[tagName]?.isEmpty == true else { return }
      steps.append("delete \(tagName)")
      context.delete(try tag(tagName))
      plain.tags[tagName] = nil
    case _:
      guard let key else { return }
      steps.append("delete \(key)")
      context.delete(try note(key))
      plain.deleteNote(key)
    }
    context.processPendingChanges()
  }

  /// Refreshes some objects: those with changes keep them.
  private mutating func refresh(_ dice: inout Dice) throws {
    steps.append("refresh")
    let objects: [NSManagedObject] =
      try context.fetch(Note.fetchRequest()).sorted { $0.text ?? "" < $1.text ?? "" }
      + context.fetch(Folder.fetchRequest()).sorted { $0.name ?? "" < $1.name ?? "" }
    for object in objects where Bool.random(using: &dice) {
      context.refresh(object, mergeChanges: object.hasChanges || Bool.random(using: &dice))
    }
  }
}
