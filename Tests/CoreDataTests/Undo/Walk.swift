import CoreData
import TestSupport
import Testing

/// A context whose random steps can be taken back, and the states it went through.
///
///     nothing ─ step ─ one note ─ step ─ two notes
///                         ↑ undo, redo: the position
struct Walk {
  private(set) var work: RandomWork
  private let undoManager: UndoManager?
  private let mark = Mark()
  private var states: [PlainNotes]
  private var position = 0
  private(set) var log: [String] = []

  init(_ context: NSManagedObjectContext) {
    self.init(RandomWork(context, PlainNotes(), prefix: "u"), canUndo: true)
  }

  /// Goes on from the content of the work's context.
  init(_ work: RandomWork, canUndo: Bool) {
    self.work = work
    states = [work.plain]
    undoManager = canUndo ? UndoManager() : nil
    undoManager?.groupsByEvent = false
    work.context.undoManager = undoManager
  }

  var expected: PlainNotes { states[position] }

  /// Each step is one group; a mark of our own keeps also those that have changed nothing.
  mutating func step(_ dice: inout Dice) throws {
    work.begin(expected)
    undoManager?.beginUndoGrouping()
    if let undoManager { mark.set(undoManager) }
    try work.step(&dice)
    work.context.processPendingChanges()
    undoManager?.endUndoGrouping()
    log += work.steps
    states = states.prefix(position + 1) + [work.plain]
    position += 1
  }

  mutating func undo() {
    guard let undoManager, undoManager.canUndo else { return }
    log.append("undo")
    work.context.undo()
    position -= 1
  }

  mutating func redo() {
    guard let undoManager, undoManager.canRedo else { return }
    log.append("redo")
    work.context.redo()
    position += 1
  }

  mutating func save() throws {
    log.append("save")
    try work.context.save()
  }

  /// Gives up what was not saved; nothing can be undone then.
  mutating func rollback(to saved: PlainNotes) {
    log.append("rollback")
    work.context.rollback()
    undoManager?.removeAllActions(withTarget: mark)
    #expect(undoManager?.canUndo != true, "\(log)")
    (states, position) = ([saved], 0)
  }

  func compare() throws {
    let found = try PlainNotes(work.context)
    try #require(found.differences(from: expected) == [], "\(log)")
    try #require(checkInvariants(of: work.context) == [], "\(log)")
  }
}

/// Something that can be undone and does nothing.
private final class Mark {
  func set(_ undoManager: UndoManager) {
    undoManager.registerUndo(withTarget: self) { $0.set(undoManager) }
  }
}
