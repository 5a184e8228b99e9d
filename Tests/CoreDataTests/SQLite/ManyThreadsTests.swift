import CoreData
import Foundation
import TestSupport
import Testing

/// Several contexts on several threads with one store.
@Suite struct ManyThreadsTests {
  @Test(arguments: StoreKind.with(.statements))
  func `saves and fetches of many contexts do not disturb each other`(
    kind: StoreKind
  ) async throws {
    let stack = try NotesStack(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          let context = stack.context()
          for round in 0..<20 {
            try await context.perform {
              let folder = Folder(context: context)
              folder.name = "\(thread)"
              for _ in 0..<3 { Note(context: context).folder = folder }
              if round % 4 == 3 { context.delete(folder) }
              try context.save()
            }
          }
        }
        group.addTask {
          let context = stack.context()
          for _ in 0..<20 {
            try await context.perform {
              context.reset()
              let folders = try context.fetch(Folder.fetchRequest())
              for folder in folders { #expect(folder.notes?.count == 3) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let context = stack.context()
    try await context.perform {
      let notes = try context.fetch(Note.fetchRequest())
      #expect(notes.count == 4 * 15 * 3)
      #expect(Set(notes.map(\.objectID)).count == notes.count)
      #expect(notes.allSatisfy { $0.folder?.name != nil })
    }
  }
}
