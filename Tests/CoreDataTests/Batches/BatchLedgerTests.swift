import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of batches in a store's history.
struct BatchLedgerTests {
  private func changes(
    in stack: NotesStack,
    of batch: (EntityLayout) -> Batch
  ) throws -> [String] {
    let store = try #require(stack.coordinator.persistentStores.first?.backend as? SQLiteStore)
    let layout = try #require(store.schema.model["Note"])
    var runs: [[HistoryChange]] = []
    _ = try store.perform(batch(layout)) { runs.append($0) }
    return runs.flatMap { $0 }.map { change in
      let name = "\(change.layout.name) \(change.primaryKey)"
      switch change.kind {
      case .insert: return "+ \(name)"
      case .delete: return "- \(name)"
      case .update:
        let slots = change.slots.map { change.layout.slots[$0].name }
        return "~ \(name) \(slots.joined(separator: ","))"
      }
    }
  }

  @Test func `each row is handed over once, with what was written`() throws {
    let stack = try NotesStack(.sqlite)
    let inserted = try changes(in: stack) {
      Batch(layout: $0, work: .insert(.dictionaries([["title": "a"], ["title": "b"]]), .error))
    }
    #expect(inserted == ["+ Note 1", "+ Note 2"])
    let updated = try changes(in: stack) { layout in
      var rows = FetchPlan(layout)
      rows.predicate = NSPredicate(format: "title == 'b'").tree
      let slot = layout.slot(named: "stars") ?? 0
      return Batch(layout: layout, work: .update(BatchUpdate(rows: rows, values: [(slot, 3)])))
    }
    #expect(updated == ["~ Note 2 stars"])
    try stack.work { context in
      let folder = context.folder("Ideas")
      folder.cover = try context.note(titled: "a")
      try context.save()
    }
    let deleted = try changes(in: stack) { Batch(layout: $0, work: .delete(FetchPlan($0))) }
    #expect(deleted == ["- Note 1", "- Note 2", "~ Folder 1 cover"])
  }

  @Test func `many changes come in runs`() throws {
    var runs: [Int] = []
    var ledger = BatchLedger(namesRows: false) { runs.append($0.count) }
    let layout = try #require(NotesStack.model.layout["Note"])
    for number in 1...2500 { try ledger.add(HistoryChange(.insert, layout, Int64(number))) }
    try ledger.tellHistory()
    #expect(runs == [1024, 1024, 452])
    #expect(ledger.count == 2500)
    #expect(ledger.rows.isEmpty)
  }
}
