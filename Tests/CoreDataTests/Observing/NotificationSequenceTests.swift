import CoreData
import TestSupport
import Testing

/// `NotificationCenter.notifications(named:object:)`, which Foundation on Linux does not have.
@Suite struct NotificationSequenceTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("told")

  private func tell(_ number: Int, of object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: ["number": number])
  }

  private func number(in note: Notification?) -> Int? { note?.userInfo?["number"] as? Int }

  @Test func `a loop over the notifications of one context did not compile`() async throws {
    let stack = try NotesStack()
    let (context, other) = (stack.context(), stack.context())
    let saves = NotificationCenter.default.notifications(
      named: .NSManagedObjectContextDidSaveObjectIDs,
      object: context
    )
    var heard = saves.makeAsyncIterator()
    for writer in [other, context] {
      try writer.performAndWait {
        writer.note("1")
        try writer.save()
      }
    }
    let note = try #require(await heard.next())
    #expect(note.object as AnyObject? === context)
    #expect((note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
  }

  @Test func `each iterator has what was posted after it was made, in order`() async {
    let told = center.notifications(named: name)
    tell(1)
    var first = told.makeAsyncIterator()
    tell(2)
    var second = told.makeAsyncIterator()
    tell(3)
    #expect(number(in: await first.next()) == 2)
    #expect(number(in: await first.next()) == 3)
    #expect(number(in: await second.next()) == 3)
  }

  @Test func `a loop ends when its task is canceled`() async throws {
    let (center, name) = (center, name)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let loop = Task {
      var count = 0
      for await _ in center.notifications(named: name) {
        count += 1
        beginning.finish()
      }
      return count
    }
    let telling = Task {
      while !Task.isCancelled {
        center.post(name: name, object: nil)
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    for await _ in begun {}
    telling.cancel()
    loop.cancel()
    #expect(await loop.value > 0)
  }

  @Test func `an iterator that is released observes no longer`() {
    final class Told {}
    weak var kept: Told?
    var heard: NotificationCenter.Notifications.Iterator? = center.notifications(named: name)
      .makeAsyncIterator()
    do {
      let object = Told()
      kept = object
      tell(1, of: object)
    }
    let isKept = kept != nil
    #expect(heard != nil && isKept)
    heard = nil
    #expect(kept == nil)
  }
}
