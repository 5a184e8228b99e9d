import CoreData
import CoreDataSync

/// A person who edits notes at random, and the facts for the oracle.
struct Person {
  private let context: NSManagedObjectContext
  private var chance: Chance
  private let subject: [Int]
  /// Of a hundred edits, how many are of the subject.
  private let focus: Int
  private(set) var nextText: Int
  private(set) var notes: [(inout Oracle) -> Void] = []
  private(set) var written: [String] = []
  private(set) var deeds: [String] = []
  /// The links that were taken away since the device has last read its store: putting one back changes nothing that
  /// anybody could see.
  private(set) var unlinked: Set<Oracle.Link>
  /// Whether a deed may be there before the pair of which it tells; the device reads others in portions.
  private let isHalfRead: (_ deed: String) throws -> Bool

  /// The edits that belong together, of which each history has one kind more often.
  static let subjects = [
    [], [14, 15, 16, 17, 17, 18, 18, 19], [20, 20, 29, 28], [4, 11, 13, 13, 28, 29],
    [21, 22, 23, 24, 25, 28], [6, 9, 11, 28], [26, 26, 27, 28],
  ]

  init(
    _ context: NSManagedObjectContext,
    _ chance: Chance,
    nextText: Int,
    _ subject: [Int],
    focus: Int = 60,
    unlinked: Set<Oracle.Link>,
    isHalfRead: @escaping (_ deed: String) throws -> Bool
  ) {
    self.isHalfRead = isHalfRead
    self.subject = subject
    self.focus = focus
    self.unlinked = unlinked
    self.context = context
    self.chance = chance
    self.nextText = nextText
  }

  private mutating func newText() -> String {
    nextText += 1
    return "t\(nextText)"
  }

  private func all(_ entity: String) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      .filter { !$0.isDeleted }
      .sorted { $0.mark < $1.mark }
  }

  private mutating func any(_ entity: String) throws -> NSManagedObject? {
    chance.one(of: try all(entity))
  }
}

// MARK: - Edits

extension Person {
  mutating func edit() throws {
    // A history has a subject, so that people meet at the same things.
    if chance.happens(percent: focus), let kind = chance.one(of: subject) { return try edit(kind) }
    try edit(chance.number(below: 32))
  }

  private mutating func edit(_ kind: Int) throws {
    switch kind {
    case 0, 1: makeFolder()
    case 2, 3, 4, 5: try makeNote()
    case 6, 7, 8: try retitle()
    case 9, 10: try changePair()
    case 11, 12: try moveNote()
    case 13: try reorder("Folder", "notes")
    case 14, 15, 16: try tag()
    case 17: try untag()
    case 18: try deleteTag()
    case 19: try renameTag()
    case 20: try label()
    case 21: try relate()
    case 22: try pin()
    case 23: try reorder("Folder", "pinned")
    case 24: try cover()
    case 25: try setOrigin()
    case 26: try fillBin()
    case 27: try reorder("Bin", "queue")
    case 28: try deleteNote()
    case 30: try paint()
    case 31: try shelve()
    default: if chance.happens(percent: 50) { try deleteFolder() } else { try deleteLabel() }
    }
  }

  private mutating func make(_ entity: String, _ prefix: String) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    let key = prefix + newText()
    object.setValue(key, forKey: "key")
    written.append(key)
    notes.append { $0.note(made: key) }
    deeds.append("makes \(key)")
    return object
  }

  private mutating func write(_ object: NSManagedObject) {
    // The program's second version calls it by another name.
    write(object.entity.attributesByName["heading"] == nil ? "title" : "heading", of: object)
  }

  private mutating func write(_ name: String, of object: NSManagedObject) {
    let text = newText()
    let before = object.value(forKey: name) as? String
    object.setValue(text, forKey: name)
    written.append(text)
    let mark = object.mark
    notes.append { $0.note(text: text, of: mark, over: before) }
    deeds.append("gives \(object.mark) the \(name) \(text) over \(before ?? "nothing")")
  }

  private mutating func makeFolder() {
    write(make("Folder", "f"))
  }

  private mutating func makeNote() throws {
    guard let folder = try any("Folder") else { return makeFolder() }
    let note = make(chance.happens(percent: 20) ? "Checklist" : "Note", "n")
    write(note)
    changePair(of: note)
    put(note, in: folder)
  }

  private mutating func put(_ note: NSManagedObject, in folder: NSManagedObject) {
    note.setValue(folder, forKey: "folder")
    let key = note.mark
    let place = folder.mark
    notes.append { $0.note(key, in: place) }
    deeds.append("puts \(key) in \(place)")
    move(note, in: folder, "notes")
  }

  /// Somewhere among the others.
  private mutating func move(_ member: NSManagedObject, in owner: NSManagedObject, _ name: String) {
    let set = owner.mutableOrderedSetValue(forKey: name)
    let index = set.index(of: member)
    if index == NSNotFound { return }
    set.moveObjects(at: IndexSet(integer: index), to: chance.number(below: set.count))
  }

  private mutating func retitle() throws {
    guard let entity = chance.one(of: ["Folder", "Note", "Note"]), let object = try any(entity)
    else {
      return
    }
    write(object)
  }

  private mutating func changePair() throws {
    if let note = try any("Note") { changePair(of: note) }
  }

  private mutating func changePair(of note: NSManagedObject) {
    nextText += 1
    note.setValue(Int64(nextText), forKey: "left")
    note.setValue(Int64(nextText), forKey: "right")
    deeds.append("pairs \(note.mark) \(nextText)")
  }

  private mutating func moveNote() throws {
    guard let note = try any("Note"), let folder = try any("Folder") else { return }
    put(note, in: folder)
  }

  private mutating func reorder(_ entity: String, _ name: String) throws {
    guard let owner = try any(entity) else { return }
    let set = owner.mutableOrderedSetValue(forKey: name)
    guard set.count > 1, let member = chance.one(of: owner.members(named: name)) else { return }
    move(member, in: owner, name)
    deeds.append("reorders \(name) of \(owner.mark)")
  }
}

// MARK: - Tags and labels

extension Person {
  private mutating func tag() throws {
    guard let note = try any("Note"), let name = chance.one(of: ["red", "green", "blue"]) else {
      return
    }
    let link = Oracle.Link(kind: .tag, owner: note.mark, member: name)
    if unlinked.contains(link) { return }
    let known = try all("Tag").first { $0.value(forKey: "name") as? String == name }
    let tag = known ?? NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(name, forKey: "name")
    deeds.append("tags \(link.owner) \(name)")
    let tags = note.mutableSetValue(forKey: "tags")
    if tags.contains(tag) { return }
    tags.add(tag)
    noteLinked(link)
  }

  private mutating func noteLinked(_ link: Oracle.Link) {
    // A person who sees this object has seen the link.
    let deed = NSEntityDescription.insertNewObject(forEntityName: "Deed", into: context)
    let text = newText()
    deed.setValue(link.owner, forKey: "note")
    deed.setValue(link.name, forKey: "tag")
    deed.setValue(text, forKey: "text")
    written.append(text)
    notes.append { $0.note(linked: link, by: text) }
  }

  private mutating func untag() throws {
    guard let note = try any("Note"), let tag = chance.one(of: note.members(named: "tags")) else {
      return
    }
    note.mutableSetValue(forKey: "tags").remove(tag)
    deeds.append("untags \(note.mark) \(tag.mark)")
    try noteUnlinked(Oracle.Link(kind: .tag, owner: note.mark, member: tag.mark))
  }

  private mutating func noteUnlinked(_ link: Oracle.Link) throws {
    unlinked.insert(link)
    let seen = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Deed"))
      .filter { $0.value(forKey: "note") as? String == link.owner }
      .filter { $0.value(forKey: "tag") as? String == link.name }
      .compactMap { $0.value(forKey: "text") as? String }
    let half = try seen.filter { try !written.contains($0) && isHalfRead($0) }
    let whole = seen.filter { !half.contains($0) }
    let text = newText()
    written.append(text)
    notes.append {
      $0.note(unlinked: whole, by: text)
      $0.note(halfRead: half)
    }
  }

  private mutating func deleteTag() throws {
    guard let tag = try any("Tag"), tag.members(named: "notes").isEmpty else { return }
    let name = tag.value(forKey: "name") as? String ?? ""
    context.delete(tag)
    deeds.append("deletes tag \(name)")
  }

  private mutating func renameTag() throws {
    guard let tag = try any("Tag"), let name = chance.one(of: ["red", "green", "blue", "grey"])
    else { return }
    guard try all("Tag").allSatisfy({ $0.value(forKey: "name") as? String != name }) else { return }
    let before = tag.value(forKey: "name") as? String ?? ""
    tag.setValue(name, forKey: "name")
    notes.append {
      $0.note(renamed: before)
      $0.note(renamed: name)
    }
    deeds.append("renames tag \(before) to \(name)")
  }

  private mutating func label() throws {
    guard let note = try any("Note") else { return }
    if chance.happens(percent: 30) {
      note.setValue(nil, forKey: "label")
      let key = note.mark
      notes.append { $0.note(labelled: key, nil) }
      deeds.append("unlabels \(note.mark)")
      return
    }
    let label = try chance.happens(percent: 40) ? nil : any("Label")
    let end = label ?? make("Label", "l")
    note.setValue(end, forKey: "label")
    let keys = (note: note.mark, label: end.mark)
    written.append("\(keys.note)=\(keys.label)")
    notes.append { $0.note(labelled: keys.note, keys.label) }
    deeds.append("labels \(note.mark) \(end.mark)")
  }

  private mutating func deleteLabel() throws {
    guard let label = try any("Label"), label.members(named: "notes").isEmpty else { return }
    delete(label)
  }
}

// MARK: - Other relationships

extension Person {
  private mutating func relate() throws {
    guard let note = try any("Note"), let other = try any("Note") else { return }
    let set = note.mutableSetValue(forKey: "related")
    let marks = [note.mark, other.mark].sorted()
    let link = Oracle.Link(kind: .related, owner: marks[0], member: marks[1])
    if try change(link, isThere: set.contains(other)) {
      if set.contains(other) { set.remove(other) } else { set.add(other) }
    }
    deeds.append("relates \(note.mark) \(other.mark)")
  }

  private mutating func pin() throws {
    guard let folder = try any("Folder"), let note = try any("Note") else { return }
    let set = folder.mutableOrderedSetValue(forKey: "pinned")
    let link = Oracle.Link(kind: .pinned, owner: folder.mark, member: note.mark)
    if try change(link, isThere: set.contains(note)) {
      if set.contains(note) { set.remove(note) } else { set.add(note) }
    }
    deeds.append("pins \(note.mark) in \(folder.mark)")
  }

  /// Notes that a pair is made, or is taken apart if it is there; returns whether it is.
  private mutating func change(_ link: Oracle.Link, isThere: Bool) throws -> Bool {
    if isThere {
      try noteUnlinked(link)
    } else if unlinked.contains(link) {
      return false
    } else {
      noteLinked(link)
    }
    return true
  }

  private mutating func cover() throws {
    guard let folder = try any("Folder"), let note = try any("Note") else { return }
    let isOff = chance.happens(percent: 20)
    folder.setValue(isOff ? nil : note, forKey: "cover")
    deeds.append("covers \(folder.mark) with \(isOff ? "nothing" : note.mark)")
  }

  private mutating func setOrigin() throws {
    guard let note = try any("Note"), let end = try any("Note") else { return }
    let isRenamed = note.entity.relationshipsByName["source"] != nil
    let origin = chance.happens(percent: 20) ? nil : end
    note.setValue(origin, forKey: isRenamed ? "source" : "origin")
    deeds.append("makes \(origin?.mark ?? "nothing") the origin of \(note.mark)")
  }

  /// An action that only the program's second version can do.
  private mutating func paint() throws {
    guard let note = try any("Note"), note.entity.attributesByName["colour"] != nil else { return }
    write("colour", of: note)
  }

  private mutating func shelve() throws {
    guard let note = try any("Note"), note.entity.relationshipsByName["shelf"] != nil else {
      return
    }
    let known = try any("Shelf")
    let shelf = known ?? make("Shelf", "s")
    let isOff = chance.happens(percent: 20)
    note.setValue(isOff ? nil : shelf, forKey: "shelf")
    deeds.append("puts \(note.mark) on \(isOff ? "no shelf" : shelf.mark)")
  }

  private mutating func fillBin() throws {
    let known = try any("Bin")
    let bin = known ?? make("Bin", "b")
    guard let note = try any("Note") else { return }
    if chance.happens(percent: 50) {
      let set = bin.mutableSetValue(forKey: "kept")
      if set.contains(note) { set.remove(note) } else { set.add(note) }
    } else {
      let set = bin.mutableOrderedSetValue(forKey: "queue")
      if set.contains(note) { set.remove(note) } else { set.add(note) }
    }
    deeds.append("bins \(note.mark) in \(bin.mark)")
  }

  private mutating func deleteNote() throws {
    if let note = try any("Note") { delete(note) }
  }

  private mutating func deleteFolder() throws {
    guard let folder = try any("Folder") else { return }
    for note in folder.members(named: "notes") { noteDeletion(of: note) }
    delete(folder)
  }

  private mutating func delete(_ object: NSManagedObject) {
    noteDeletion(of: object)
    deeds.append("deletes \(object.mark)")
    context.delete(object)
    context.processPendingChanges()
  }

  private mutating func noteDeletion(of object: NSManagedObject) {
    let key = object.mark
    let text = newText()
    // A label that somebody else needs comes back.
    let isForGood = object.entity.name != "Label"
    written.append(text)
    notes.append { $0.note(deleted: key, by: text, isForGood: isForGood) }
  }
}

extension NSManagedObject {
  /// The name that people use.
  var mark: String {
    (value(forKey: entity.attributesByName["key"] == nil ? "name" : "key") as? String) ?? "?"
  }
}
