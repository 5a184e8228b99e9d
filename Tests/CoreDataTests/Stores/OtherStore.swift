import CoreData
import Foundation
import TestSupport

/// The kinds of stores besides memory and SQLite: two that are built in, and two that users might write.
enum OtherStore: String, CaseIterable, Sendable {
  case xml
  case binary
  case jsonLines
  case dictionary

  var type: String {
    switch self {
    case .xml: NSXMLStoreType
    case .binary: NSBinaryStoreType
    case .jsonLines: JSONLinesStore.storeType.rawValue
    case .dictionary: DictionaryStore.storeType.rawValue
    }
  }

  var storeType: NSPersistentStore.StoreType { NSPersistentStore.StoreType(rawValue: type) }

  /// Whether the store has a file that is written whole.
  var hasFile: Bool { self != .dictionary }

  private static let registration: Void = {
    NSPersistentStoreCoordinator.registerStoreClass(
      JSONLinesStore.self,
      type: JSONLinesStore.storeType
    )
    NSPersistentStoreCoordinator.registerStoreClass(
      DictionaryStore.self,
      forStoreType: DictionaryStore.storeType.rawValue
    )
  }()

  static func register() { registration }

  func stack(at file: URL = TestSupport.TemporaryFolder.file("Notes")) throws -> NotesStack {
    Self.register()
    return try NotesStack(type: type, at: file)
  }

  /// The same store once more, as another program would open it.
  func reopened(_ stack: NotesStack) throws -> NotesStack {
    try self.stack(at: stack.file ?? URL(fileURLWithPath: "/dev/null"))
  }
}

extension NotesStack {
  var store: NSPersistentStore {
    guard let store = coordinator.persistentStores.first else { fatalError("no store") }
    return store
  }
}
