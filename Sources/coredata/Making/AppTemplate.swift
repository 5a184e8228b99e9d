/// The files of a new program.
struct AppTemplate {
  let name: String
  let package: PackageSource
  let isWeb: Bool
  /// Whether the model is a class of SwiftData instead of a model file.
  let usesSwiftData: Bool

  /// The texts by their paths.
  var files: [String: String] {
    let common = [
      ".dockerignore": ".build\n.git\n*.sqlite*\n",
      ".gitignore": ".build/\n*.sqlite*\n",
      "Dockerfile": dockerfile,
      "Package.swift": manifest,
      "README.md": readme,
      "Tests/\(name)Tests/NotebookTests.swift": test,
    ]
    let workflow =
      package.isFetched ? [".github/workflows/test.yml": self.workflow] : [:]
    return common.merging(workflow) { $1 }.merging(usesSwiftData ? swiftDataFiles : coreDataFiles) {
      $1
    }
    .merging(isWeb ? webFiles : ["Sources/\(name)/main.swift": program]) { $1 }
  }

  private var coreDataFiles: [String: String] {
    [
      "Sources/\(name)Model/Notebook.swift": notebook,
      "Sources/\(name)Model/\(name).xcdatamodeld/.xccurrentversion": currentVersion,
      "Sources/\(name)Model/\(name).xcdatamodeld/\(name).xcdatamodel/contents": model,
    ]
  }
}

// MARK: - The package

extension AppTemplate {
  private var manifest: String {
    let server =
      isWeb ? ", .product(name: \"CoreDataWebServer\", package: \"\(package.identity)\")" : ""
    let resources = isWeb ? ",\n      resources: [.copy(\"Web\")]" : ""
    let framework = usesSwiftData ? "SwiftData" : "CoreData"
    let plugins =
      usesSwiftData
      ? ""
      : ",\n      plugins: [.plugin(name: \"CoreDataModels\", package: \"\(package.identity)\")]"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        dependencies: [
          \(package.dependency)
        ],
        targets: [
          // The model, and what is done with it
          .target(
            name: "\(name)Model",
            dependencies: [.product(name: "\(framework)", package: "\(package.identity)")]\(plugins)
          ),
          .executableTarget(
            name: "\(name)",
            dependencies: ["\(name)Model"\(server)]\(resources)
          ),
          .testTarget(name: "\(name)Tests", dependencies: ["\(name)Model"]),
        ]
      )

      """
  }

  private var readme: String {
    let use =
      isWeb
      ? "swift run \(name)                  open the address that it prints"
      : "swift run \(name) add 'First note'\nswift run \(name)                  the notes\nswift run \(name) done 1           one of them is done"
    return """
      # \(name)

      ```
      swift test
      \(use)
      ```

      \(usesSwiftData ? swiftDataModel : modelFile)
      - `Sources/\(name)Model/Notebook.swift` contains the operations on notes.
      - `Sources/\(name)` is the program.

      The notes are in the SQLite file \(storeFile). `coredata inspect` and `coredata dump` show what is
      in it. \(usesSwiftData ? swiftDataVersions : versions)

      `Dockerfile` makes an image of the program; its first lines say how.

      """
  }

  private var storeFile: String {
    isWeb ? "that `--store` names, without it `\(name).sqlite`" : "`\(name).sqlite`"
  }

  private var modelFile: String {
    """
    - `Sources/\(name)Model/\(name).xcdatamodeld` is the data model. Change it in Xcode, in an editor, or with
      `coredata model add-attribute` and its like. The class `Note` is generated from it at each build.
    """
  }

  private var versions: String {
    "Before the first change of the model after a release, run `coredata model add-version`."
  }

  private var currentVersion: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>_XCCurrentVersionName</key>
    	<string>\(name).xcdatamodel</string>
    </dict>
    </plist>

    """
  }

  private var model: String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Note" representedClassName="Note" syncable="YES" codeGenerationType="class">
            <attribute name="created" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="id" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
            <attribute name="isDone" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
            <attribute name="title" attributeType="String" defaultValueString=""/>
        </entity>
    </model>

    """
  }
}

// MARK: - The library and its test

extension AppTemplate {
  private var notebook: String {
    """
    public import CoreData
    import Foundation

    /// Notes in a store.
    public final class Notebook: Sendable {
      private let container: NSPersistentContainer

      /// The part of a note that is shown.
      public struct Line: Codable, Hashable, Sendable {
        public let id: UUID
        public let title: String
        public let isDone: Bool
      }

      /// The model, which all notebooks of a program share.
      private static let model = Bundle.module.url(forResource: "\(name)", withExtension: "momd")
        .flatMap { NSManagedObjectModel(contentsOf: $0) }

      /// Opens a store; creates it if the file is missing.
      ///
      /// - Parameter file: The store's file, or nil for a store in memory.
      public init(file: URL?) throws {
        guard let model = Self.model else { throw CocoaError(.fileReadNoSuchFile) }
        let description = NSPersistentStoreDescription()
        description.url = file
        if file == nil { description.type = NSInMemoryStoreType }
        container = NSPersistentContainer(name: "\(name)", managedObjectModel: model)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
      }

      /// The notes, the oldest first.
      public func lines() async throws -> [Line] {
        try await container.read { context in
          let request: NSFetchRequest<Note> = Note.fetchRequest()
          request.sortDescriptors = [NSSortDescriptor(keyPath: \\Note.created, ascending: true)]
          return try context.fetch(request).map {
            Line(id: $0.id ?? UUID(), title: $0.title ?? "", isDone: $0.isDone)
          }
        }
      }

      /// Adds a note.
      public func add(_ title: String) async throws {
        try await container.write { context in
          let note = Note(context: context)
          note.id = UUID()
          note.title = title
          note.created = Date()
        }
      }

      /// Marks a note as done or not done. If the store has no such note, nothing changes.
      public func mark(_ id: UUID, done isDone: Bool) async throws {
        try await container.write { context in
          let request: NSFetchRequest<Note> = Note.fetchRequest()
          request.predicate = NSPredicate(format: "id == %@", id as any CVarArg)
          for note in try context.fetch(request) { note.isDone = isDone }
        }
      }
    }

    """
  }

  private var test: String {
    """
    import Foundation
    import Testing

    @testable import \(name)Model

    struct NotebookTests {
      @Test func `a note is added and done`() async throws {
        let notebook = try Notebook(file: nil)
        try await notebook.add("First")
        try await notebook.add("Second")
        let first = try #require(try await notebook.lines().first)
        try await notebook.mark(first.id, done: true)
        let lines = try await notebook.lines()
        #expect(lines.map(\\.title) == ["First", "Second"])
        #expect(lines.map(\\.isDone) == [true, false])
      }
    }

    """
  }

  private var program: String {
    """
    import Foundation
    import \(name)Model

    let file = URL.currentDirectory().appending(component: "\(name).sqlite")
    let words = CommandLine.arguments.dropFirst()
    let notebook = try Notebook(file: file)

    switch words.first {
    case "add":
      try await notebook.add(words.dropFirst().joined(separator: " "))
    case "done":
      let lines = try await notebook.lines()
      if let number = words.dropFirst().first.flatMap({ Int($0) }), lines.indices.contains(number - 1) {
        try await notebook.mark(lines[number - 1].id, done: true)
      } else {
        print("there is no such note; swift run \(name) lists their numbers")
      }
    default:
      break
    }
    for (index, line) in try await notebook.lines().enumerated() {
      print("\\(index + 1)  \\(line.isDone ? "✓" : "·")  \\(line.title)")
    }

    """
  }
}
