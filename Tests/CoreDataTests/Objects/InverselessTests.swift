import CoreData
import TestSupport
import Testing

/// Relationships without an inverse: a bin keeps notes that do not know of it.
@Suite struct InverselessTests {
  private func kept(_ bin: Bin) -> [String] {
    (bin.kept as? Set<Note> ?? []).map { $0.title ?? "" }.sorted()
  }

  private func queue(_ bin: Bin) -> [String] {
    (bin.queue?.array as? [Note] ?? []).map { $0.title ?? "" }
  }

  /// A stack with a bin that keeps a and b, and has c, a in its queue.
  private func stack(_ kind: StoreKind) throws -> (NotesStack, NSManagedObjectID) {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let bin = Bin(context: context)
      let notes = ["a", "b", "c"].map { context.note($0) }
      bin.kept = Set(notes.prefix(2)) as NSSet
      bin.addToQueue(notes[2])
      bin.addToQueue(notes[0])
      return bin
    }
    return (stack, id)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `members are stored and read again`(kind: StoreKind) throws {
    let (stack, id) = try stack(kind)
    try stack.work { context in
      let bin = context.find(id, as: Bin.self)
      #expect(kept(bin) == ["a", "b"])
      #expect(queue(bin) == ["c", "a"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `members are added, removed and moved`(kind: StoreKind) throws {
    let (stack, id) = try stack(kind)
    try stack.work { context in
      let bin = context.find(id, as: Bin.self)
      let note = try #require((bin.kept as? Set<Note>)?.first { $0.title == "a" })
      bin.removeFromKept(note)
      bin.addToKept(context.note("d"))
      bin.insertIntoQueue(context.note("e"), at: 0)
      bin.removeFromQueue(at: 1)
      #expect(queue(bin) == ["e", "a"])
      try context.save()
      #expect(kept(bin) == ["b", "d"])
    }
    try stack.work { context in
      let bin = context.find(id, as: Bin.self)
      #expect(kept(bin) == ["b", "d"])
      #expect(queue(bin) == ["e", "a"])
      bin.mutableOrderedSetValue(forKey: "queue").moveObjects(at: [1], to: 0)
      try context.save()
    }
    try stack.work { #expect(queue($0.find(id, as: Bin.self)) == ["a", "e"]) }
  }

  @Test(arguments: StoreKind.with(.everyRequest), [true, false])
  func `a note moves from one bin to another in one save`(kind: StoreKind, first: Bool) throws {
    let (stack, id) = try stack(kind)
    let other = try stack.work { context in
      let bin = context.find(id, as: Bin.self)
      let other = Bin(context: context)
      try context.save()
      let note = try #require((bin.kept as? Set<Note>)?.first { $0.title == "a" })
      if first { other.addToKept(note) }
      bin.removeFromKept(note)
      if !first { other.addToKept(note) }
      try context.save()
      return other.objectID
    }
    try stack.work { context in
      #expect(kept(context.find(id, as: Bin.self)) == ["b"])
      #expect(kept(context.find(other, as: Bin.self)) == ["a"])
      #expect(queue(context.find(id, as: Bin.self)) == ["c", "a"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a change of a kept note keeps it in its bin`(kind: StoreKind) throws {
    let (stack, id) = try stack(kind)
    try stack.work { context in
      for note in try context.fetch(Note.fetchRequest()) { note.text = "changed" }
      try context.save()
    }
    try stack.work { context in
      #expect(kept(context.find(id, as: Bin.self)) == ["a", "b"])
      #expect(queue(context.find(id, as: Bin.self)) == ["c", "a"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deleted note is gone from its bin`(kind: StoreKind) throws {
    let (stack, id) = try stack(kind)
    try stack.work { context in
      let bin = context.find(id, as: Bin.self)
      let note = try #require((bin.kept as? Set<Note>)?.first { $0.title == "a" })
      context.delete(note)
      try context.save()
      context.refresh(bin, mergeChanges: false)
      #expect(kept(bin) == ["b"])
      #expect(queue(bin) == ["c"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deleted bin lets go of its notes`(kind: StoreKind) throws {
    let (stack, id) = try stack(kind)
    try stack.work { context in
      context.delete(context.find(id, as: Bin.self))
      try context.save()
      let bin = Bin(context: context)
      try context.save()
      #expect(bin.objectID != id)
    }
    try stack.work { context throws in #expect(try context.titles() == ["a", "b", "c"]) }
  }
}
