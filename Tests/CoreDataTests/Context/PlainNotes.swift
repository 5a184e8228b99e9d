import CoreData
import TestSupport

/// Notes, folders and tags as plain values: the expected content of a context.
struct PlainNotes: Equatable {
  var notes: [String: PlainNote] = [:]
  var folders: [String: PlainFolder] = [:]
  /// The notes of each tag, in their order.
  var tags: [String: [String]] = [:]

  struct PlainNote: Equatable {
    var title: String
    var stars = 0
    var folder: String?
    var related: Set<String> = []
  }

  struct PlainFolder: Equatable {
    var parent: String?
    var cover: String?
    var pinned: [String] = []
  }
}

// MARK: - Comparing

extension PlainNotes {
  /// The differences from the expected notes, a line for each.
  func differences(from expected: PlainNotes) -> [String] {
    lines(notes, expected.notes) + lines(folders, expected.folders) + lines(tags, expected.tags)
  }

  private func lines<Value: Equatable>(
    _ found: [String: Value],
    _ expected: [String: Value]
  ) -> [String] {
    Set(found.keys).union(expected.keys).sorted().filter { found[$0] != expected[$0] }.map { key in
      let shown = { (value: Value?) in value.map { "\($0)" } ?? "nothing" }
      return "\(key) is \(shown(found[key])), not \(shown(expected[key]))"
    }
  }
}

// MARK: - Relating

extension PlainNotes {
  mutating func relate(_ one: String, _ other: String, _ related: Bool) {
    if related {
      notes[one]?.related.insert(other)
      notes[other]?.related.insert(one)
    } else {
      notes[one]?.related.remove(other)
      notes[other]?.related.remove(one)
    }
  }

  mutating func tag(_ note: String, _ tag: String, _ tagged: Bool) {
    if !tagged {
      tags[tag]?.removeAll { $0 == note }
    } else if tags[tag]?.contains(note) == false {
      tags[tag]?.append(note)
    }
  }

  mutating func pin(_ note: String, in folder: String, at index: Int) {
    if folders[folder]?.pinned.contains(note) == true { return }
    unpin(note)
    folders[folder]?.pinned.insert(note, at: index)
  }

  mutating func unpin(_ note: String) {
    for folder in folders.keys { folders[folder]?.pinned.removeAll { $0 == note } }
  }

  mutating func setCover(_ note: String?, of folder: String) {
    for other in folders.keys where note != nil && folders[other]?.cover == note {
      folders[other]?.cover = nil
    }
    folders[folder]?.cover = note
  }
}

// MARK: - Deleting

extension PlainNotes {
  mutating func deleteNote(_ key: String) {
    notes[key] = nil
    for other in notes.keys { notes[other]?.related.remove(key) }
    for tag in tags.keys { tags[tag]?.removeAll { $0 == key } }
    unpin(key)
    for folder in folders.keys where folders[folder]?.cover == key { folders[folder]?.cover = nil }
  }

  /// With its notes and its children, all the way down.
  mutating func deleteFolder(_ key: String) {
    folders[key] = nil
    for note in notes.keys.filter({ notes[$0]?.folder == key }) { deleteNote(note) }
    for child in folders.keys.filter({ folders[$0]?.parent == key }) { deleteFolder(child) }
  }
}

// MARK: - What a context holds

extension PlainNotes {
  /// A note's key is in its text, which never changes.
  init(_ context: NSManagedObjectContext) throws {
    for note in try context.fetch(Note.fetchRequest()) {
      notes[note.key] = PlainNote(
        title: note.title ?? "",
        stars: Int(note.stars),
        folder: note.folder?.name,
        related: Set((note.related as? Set<Note> ?? []).map(\.key))
      )
    }
    for folder in try context.fetch(Folder.fetchRequest()) {
      folders[folder.name ?? ""] = PlainFolder(
        parent: folder.parent?.name,
        cover: folder.cover?.key,
        pinned: (folder.pinned?.array as? [Note] ?? []).map(\.key)
      )
    }
    for tag in try context.fetch(TestSupport.Tag.fetchRequest()) {
      tags[tag.name ?? ""] = (tag.notes?.array as? [Note] ?? []).map(\.key)
    }
  }
}

extension Note {
  var key: String { text ?? "" }
}

/// A random number generator that a seed determines.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
