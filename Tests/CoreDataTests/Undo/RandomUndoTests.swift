import CoreData
import TestSupport
import Testing

/// Random steps, taken back and made again, compared with plain values at each turn.
@Suite struct RandomUndoTests {
  @Test(arguments: StoreKind.with(.everyRequest), Array(1...5) as [UInt64])
  func `undo and redo walk through the same states, over saves (90, 91)`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    try context.performAndWait {
      var walk = Walk(context)
      var dice = Dice(seed: seed)
      for turn in 0..<240 {
        switch Int.random(in: 0..<20, using: &dice) {
        case 0..<13: try walk.step(&dice)
        case 13..<16: walk.undo()
        case 16..<18: walk.redo()
        case _: try walk.save()
        }
        if turn % 3 == 0 { try walk.compare() }
      }
      try walk.save()
      try walk.compare()
      try stack.work { other in
        let found = try PlainNotes(other)
        try #require(found.differences(from: walk.expected) == [], "\(walk.log)")
        try #require(checkInvariants(of: other) == [], "\(walk.log)")
      }
      while context.undoManager?.canUndo == true { walk.undo() }
      try walk.compare()
      #expect(walk.expected == PlainNotes())
    }
  }
}
