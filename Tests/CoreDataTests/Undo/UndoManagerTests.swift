import CoreData
import Testing

/// A line of text that knows how to take its changes back.
private final class Line {
  let undoManager: UndoManager
  private(set) var text = ""

  init(_ undoManager: UndoManager) {
    self.undoManager = undoManager
  }

  func write(_ text: String) {
    let old = self.text
    undoManager.registerUndo(withTarget: self) { $0.write(old) }
    self.text = text
  }
}

/// An undo manager whose groups are made by hand.
private func manual() -> UndoManager {
  let undoManager = UndoManager()
  undoManager.groupsByEvent = false
  return undoManager
}

extension UndoManager {
  fileprivate func group(_ body: () -> Void) {
    beginUndoGrouping()
    body()
    endUndoGrouping()
  }
}

struct UndoManagerTests {
  @Test func `undo takes back, redo makes again, as often as one likes`() {
    let undoManager = manual()
    let line = Line(undoManager)
    for text in ["a", "ab", "abc"] { undoManager.group { line.write(text) } }
    undoManager.undo()
    undoManager.undo()
    #expect(line.text == "a")
    undoManager.redo()
    #expect(line.text == "ab")
    undoManager.redo()
    #expect(line.text == "abc")
    #expect(!undoManager.canRedo)
    for _ in 0..<3 { undoManager.undo() }
    #expect(line.text.isEmpty)
    #expect(!undoManager.canUndo)
  }

  @Test func `a group is taken back whole, its actions the last first`() {
    let undoManager = manual()
    let line = Line(undoManager)
    undoManager.group {
      line.write("one")
      line.write("two")
    }
    undoManager.undo()
    #expect(line.text.isEmpty)
    undoManager.redo()
    #expect(line.text == "two")
  }

  @Test func `a new action forgets what could be redone`() {
    let undoManager = manual()
    let line = Line(undoManager)
    undoManager.group { line.write("one") }
    undoManager.undo()
    undoManager.group { line.write("other") }
    #expect(!undoManager.canRedo)
  }

  @Test func `nested groups belong to the outer one`() {
    let undoManager = manual()
    let line = Line(undoManager)
    undoManager.group {
      line.write("one")
      undoManager.group { line.write("two") }
    }
    undoManager.undo()
    #expect(line.text.isEmpty)
  }

  @Test func `a nested group can be taken back while the outer one is open`() {
    let undoManager = manual()
    let line = Line(undoManager)
    undoManager.beginUndoGrouping()
    line.write("one")
    undoManager.group { line.write("two") }
    undoManager.undoNestedGroup()
    #expect(line.text == "one")
    undoManager.endUndoGrouping()
    undoManager.undo()
    #expect(line.text.isEmpty)
  }

  @Test func `an event's registrations are one group, which undo closes`() {
    let undoManager = UndoManager()
    let line = Line(undoManager)
    line.write("one")
    line.write("two")
    #expect(undoManager.groupingLevel == 1)
    undoManager.undo()
    #expect(line.text.isEmpty)
    #expect(undoManager.groupingLevel == 0)
  }

  // In a program with an asynchronous main function, the main actor runs on any thread.
  @Test @MainActor func `events of the main actor were one group on another thread`()
    async throws
  {
    let undoManager = UndoManager()
    let line = Line(undoManager)
    line.write("one")
    for _ in 0..<200 where undoManager.groupingLevel > 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(undoManager.groupingLevel == 0)
    line.write("two")
    undoManager.undo()
    #expect(line.text == "one")
  }

  @Test func `a group in which nothing was registered is not there to undo`() {
    let undoManager = manual()
    undoManager.group {}
    #expect(!undoManager.canUndo)
  }

  @Test func `levels limit how far one can go back`() {
    let undoManager = manual()
    undoManager.levelsOfUndo = 2
    let line = Line(undoManager)
    for text in ["a", "b", "c", "d"] { undoManager.group { line.write(text) } }
    while undoManager.canUndo { undoManager.undo() }
    #expect(line.text == "b")
  }

  @Test func `nothing is registered while registration is disabled`() {
    let undoManager = manual()
    let line = Line(undoManager)
    undoManager.disableUndoRegistration()
    undoManager.disableUndoRegistration()
    undoManager.enableUndoRegistration()
    line.write("unnoticed")
    undoManager.enableUndoRegistration()
    #expect(!undoManager.canUndo)
    undoManager.group { line.write("noticed") }
    #expect(undoManager.canUndo)
  }

  @Test func `names go with their groups from undo to redo`() {
    let undoManager = manual()
    let line = Line(undoManager)
    undoManager.group {
      line.write("one")
      undoManager.setActionName("Typing")
    }
    #expect(undoManager.undoMenuItemTitle == "Undo Typing")
    #expect(undoManager.redoMenuItemTitle == "Redo")
    undoManager.undo()
    #expect(undoManager.undoMenuItemTitle == "Undo")
    #expect(undoManager.redoMenuItemTitle == "Redo Typing")
  }

  @Test func `a target that is gone is not asked, and is not kept alive`() {
    let undoManager = manual()
    var line: Line? = Line(undoManager)
    weak let gone = line
    undoManager.group { line?.write("one") }
    line = nil
    #expect(gone == nil)
    undoManager.undo()
    #expect(!undoManager.canUndo)
  }

  @Test func `the actions of one target can be forgotten`() {
    let undoManager = manual()
    let kept = Line(undoManager)
    let other = Line(undoManager)
    undoManager.group {
      kept.write("kept")
      other.write("other")
    }
    undoManager.group { other.write("again") }
    undoManager.removeAllActions(withTarget: other)
    undoManager.undo()
    #expect(kept.text.isEmpty)
    #expect(other.text == "again")
    #expect(!undoManager.canUndo)
  }

  @Test func `notifications tell of every step`() {
    let undoManager = manual()
    let line = Line(undoManager)
    let heard = Heard(undoManager)
    undoManager.group { line.write("one") }
    undoManager.undo()
    #expect(
      heard.names == [
        "DidOpenUndoGroup", "Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup",
        "Checkpoint", "Checkpoint", "WillUndoChange", "DidOpenUndoGroup", "Checkpoint",
        "DidUndoChange",
      ]
    )
  }

  @Test func `undo within a nested group stops with a sentence`() async {
    await #expect(processExitsWith: .failure) {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      undoManager.beginUndoGrouping()
      undoManager.beginUndoGrouping()
      undoManager.undo()
    }
  }

  @Test func `a registration outside of any group stops with a sentence`() async {
    await #expect(processExitsWith: .failure) {
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      undoManager.registerUndo(withTarget: undoManager) { _ in }
    }
  }
}

/// The short names of an undo manager's notifications, in their order.
private final class Heard {
  private(set) var names: [String] = []
  private var tokens: [any NSObjectProtocol] = []

  init(_ undoManager: UndoManager) {
    let all: [NSNotification.Name] = [
      .NSUndoManagerCheckpoint, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
      .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange, .NSUndoManagerDidOpenUndoGroup,
      .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
    ]
    for name in all {
      let short = name.rawValue.dropFirst("NSUndoManager".count).dropLast("Notification".count)
      let note = { [unowned self] in self.names.append(String(short)) }
      nonisolated(unsafe) let noteHere = note
      tokens.append(
        NotificationCenter.default.addObserver(forName: name, object: undoManager, queue: nil) {
          _ in noteHere()
        }
      )
    }
  }

  deinit {
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }
}
