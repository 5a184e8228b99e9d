import Foundation
import SwiftData
import Testing

struct HistoryTests {
  @Test func eachSaveIsOneTransactionWithItsChanges() throws {
    let context = ModelContext(try notesContainer())
    let note = Note(title: "First")
    note.code = "N1"
    context.insert(note)
    try context.save()
    let id = note.persistentModelID
    note.title = "Changed"
    note.stars = 4
    try context.save()
    context.delete(note)
    try context.save()
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    try #require(transactions.count == 3)
    #expect(transactions.map(\.transactionIdentifier) == [1, 2, 3])
    #expect(transactions.allSatisfy { $0.changes.count == 1 })
    #expect(transactions.flatMap(\.changes).allSatisfy { $0.changedPersistentIdentifier == id })
    guard case .insert = transactions[0].changes[0],
      case .update(let update) = transactions[1].changes[0],
      case .delete(let deletion) = transactions[2].changes[0],
      let changed = update as? DefaultHistoryUpdate<Note>,
      let deleted = deletion as? DefaultHistoryDelete<Note>
    else {
      Issue.record("the changes are of other kinds: \(transactions.flatMap(\.changes))")
      return
    }
    #expect(Set(changed.updatedAttributes) == [\Note.title, \Note.stars])
    #expect(deleted.tombstone[\.code] == "N1")
    #expect(deleted.tombstone[\.title] == nil)
  }

  @Test func transactionsAndChangesCanBeInSets() throws {
    let context = ModelContext(try notesContainer())
    let note = Note(title: "First")
    note.code = "N1"
    context.insert(note)
    try context.save()
    context.delete(note)
    try context.save()
    let all = HistoryDescriptor<DefaultHistoryTransaction>()
    let (first, again) = (try context.fetchHistory(all), try context.fetchHistory(all))
    #expect(Set(first) == Set(again))
    #expect(Set(first.map(\.id)) == [1, 2])
    #expect(Set(first.map(\.token.id)).count == 2)
    guard case .delete(let one) = first[1].changes[0],
      case .delete(let other) = again[1].changes[0],
      let deleted = one as? DefaultHistoryDelete<Note>
    else {
      Issue.record("the changes are of other kinds")
      return
    }
    #expect(deleted == other as? DefaultHistoryDelete<Note>)
    #expect(deleted.tombstone.map { $0 as? String } == ["N1"])
    let code: PartialKeyPath<Note> = \.code
    #expect(deleted.tombstone[code] as? String == "N1")
  }

  @Test func tokensAndAuthorsSelectTransactions() throws {
    let context = ModelContext(try notesContainer())
    for (index, author) in ["a", "b", "a", "b"].enumerated() {
      context.author = author
      context.insert(Tag(name: "\(index)"))
      try context.save()
    }
    let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let token = all[1].token
    #expect(token.tokenValue?.values.map(\.self) == [2])
    let later = try context.fetchHistory(
      HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token > token })
    )
    #expect(later.map(\.transactionIdentifier) == [3, 4])
    let author = "a"
    var descriptor = HistoryDescriptor(
      predicate: #Predicate<DefaultHistoryTransaction> { $0.author == author }
    )
    #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [1, 3])
    descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
    descriptor.fetchLimit = 1
    #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [3])
    let data = try JSONEncoder().encode(token)
    #expect(try JSONDecoder().decode(DefaultHistoryToken.self, from: data) == token)
  }

  @Test func aTokenOfDeletedHistoryHasExpired() throws {
    let context = ModelContext(try notesContainer())
    for index in 0..<4 {
      context.insert(Tag(name: "\(index)"))
      try context.save()
    }
    let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let (first, third) = (all[0].token, all[2].token)
    try context.deleteHistory(
      HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token < third })
    )
    let rest = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(rest.map(\.transactionIdentifier) == [3, 4])
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try context.fetchHistory(
        HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token > first })
      )
    }
  }
}
