// MARK: - A model of SwiftData

extension AppTemplate {
  var swiftDataFiles: [String: String] {
    ["Sources/\(name)Model/Note.swift": note, "Sources/\(name)Model/Notebook.swift": container]
  }

  /// The entry of the README for the model.
  var swiftDataModel: String {
    """
    - `Sources/\(name)Model/Note.swift` is the data model: the class `Note`, with `@Model`.
    """
  }

  /// The sentence of the README about changes of the model.
  var swiftDataVersions: String {
    """
    If new properties of `Note` are optional or have a default value, the store is migrated when it is opened;
    for other changes, write a `SchemaMigrationPlan`.
    """
  }

  private var note: String {
    """
    import Foundation
    import SwiftData

    @Model final class Note {
      @Attribute(.unique) var id: UUID = UUID()
      var title: String
      var created: Date = Date()
      var isDone: Bool = false

      init(title: String) {
        self.title = title
      }
    }

    """
  }

  private var container: String {
    """
    import Foundation
    import SwiftData

    /// Notes in a store.
    public final class Notebook: Sendable {
      private let container: ModelContainer

      /// The part of a note that is shown.
      public struct Line: Codable, Hashable, Sendable {
        public let id: UUID
        public let title: String
        public let isDone: Bool
      }

      /// Opens a store; creates it if the file is missing.
      ///
      /// - Parameter file: The store's file, or nil for a store in memory.
      public init(file: URL?) throws {
        let configuration = file.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
        container = try ModelContainer(for: Note.self, configurations: configuration)
      }

      /// The notes, the oldest first.
      public func lines() async throws -> [Line] {
        let notes = FetchDescriptor<Note>(sortBy: [SortDescriptor(\\.created)])
        return try ModelContext(container).fetch(notes).map {
          Line(id: $0.id, title: $0.title, isDone: $0.isDone)
        }
      }

      /// Adds a note.
      public func add(_ title: String) async throws {
        // Each operation has a context of its own: a save that is refused leaves no change behind.
        let context = ModelContext(container)
        context.insert(Note(title: title))
        try context.save()
      }

      /// Marks a note as done or not done. If the store has no such note, nothing changes.
      public func mark(_ id: UUID, done isDone: Bool) async throws {
        let context = ModelContext(container)
        let sought = FetchDescriptor<Note>(predicate: #Predicate { $0.id == id })
        for note in try context.fetch(sought) { note.isDone = isDone }
        try context.save()
      }
    }

    """
  }
}
