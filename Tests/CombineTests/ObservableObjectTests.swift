import Combine
import CoreData
import Foundation
import TestSupport
import Testing

/// Objects that publish their changes.
@Suite struct ObservableObjectTests {
  private class Editor: ObservableObject {
    @Published var title = "One"
    @Published var count = 0
  }

  private final class DeepEditor: Editor {
    @Published var isDeep = true
  }

  private final class OwnEditor: ObservableObject {
    let objectWillChange = ObservableObjectPublisher()
    @Published var title = "One"
  }

  @Test func `a property publishes each value before it has it`() {
    let editor = Editor()
    var seen: [String] = []
    let connection = editor.$title.sink { seen.append("\($0) over \(editor.title)") }
    editor.title = "Two"
    #expect(seen == ["One over One", "Two over One"])
    #expect(editor.title == "Two")
    connection.cancel()
  }

  @Test func `an object tells once before each change of a property`() {
    let editor = DeepEditor()
    var titles: [String] = []
    let connection = editor.objectWillChange.sink { titles.append(editor.title) }
    editor.title = "Two"
    editor.count = 1
    editor.isDeep = false
    editor.title = "Three"
    #expect(titles == ["One", "Two", "Two", "Two"])
    connection.cancel()
    editor.title = "Four"
    #expect(titles.count == 4)
  }

  @Test func `an object with a publisher of its own tells through that`() {
    let editor = OwnEditor()
    var count = 0
    let connection = editor.objectWillChange.sink { count += 1 }
    editor.title = "Two"
    #expect(count == 1)
    connection.cancel()
  }

  @Test func `a publisher is assigned to a property`() {
    let editor = Editor()
    let subject = PassthroughSubject<String, Never>()
    subject.assign(to: &editor.$title)
    subject.send("Two")
    #expect(editor.title == "Two")
    let connection = subject.map(\.count).assign(to: \.count, on: editor)
    subject.send("Three")
    #expect(editor.count == 5)
    connection.cancel()
  }

  @Test func `a managed object publishes its properties and its changes`() throws {
    try NotesStack().work { context in
      let note = context.note("One")
      try context.save()
      var titles: [String?] = []
      var changes = 0
      var connections: Set<AnyCancellable> = []
      note.publisher(for: \.title).sink { titles.append($0) }.store(in: &connections)
      note.objectWillChange.sink { changes += 1 }.store(in: &connections)
      note.title = "Two"
      note.stars = 3
      #expect(titles == ["One", "Two"])
      #expect(changes == 2)
      context.rollback()
      #expect(titles == ["One", "Two", "One"])
      connections = []
      note.title = "Three"
      #expect(titles.count == 3)
    }
  }

  @Test func `a merge told of a change while the object still had the old value`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let note = context.note("One")
      try context.save()
      let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      reader.persistentStoreCoordinator = stack.coordinator
      try reader.performAndWait {
        let seen = try #require(try reader.existingObject(with: note.objectID) as? Note)
        var titles: [String?] = []
        let connection = seen.objectWillChange.sink { titles.append(seen.title) }
        note.title = "Two"
        try context.save()
        reader.refresh(seen, mergeChanges: true)
        #expect(titles == ["Two"])
        seen.title = "Three"
        #expect(titles == ["Two", "Two"])
        seen.objectWillChange.send()
        #expect(titles == ["Two", "Two", "Three"])
        #expect(seen.objectWillChange === seen.objectWillChange)
        connection.cancel()
      }
    }
  }
}
