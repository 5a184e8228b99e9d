/// The files of a new program.
struct AppTemplate {
  let name: String
  /// The path of this package.
  let package: String
  let isWeb: Bool
  /// Whether the model is a class of SwiftData instead of a model file.
  let usesSwiftData: Bool

  /// The texts by their paths.
  var files: [String: String] {
    let common = [
      ".gitignore": ".build/\n*.sqlite*\n",
      "Package.swift": manifest,
      "README.md": readme,
      "Tests/\(name)Tests/NotebookTests.swift": test,
    ]
    return common.merging(usesSwiftData ? swiftDataFiles : coreDataFiles) { $1 }
      .merging(isWeb ? webFiles : ["Sources/\(name)/main.swift": program]) { $1 }
  }

  private var coreDataFiles: [String: String] {
    [
      "Sources/\(name)Kit/Notebook.swift": notebook,
      "Sources/\(name)Kit/\(name).xcdatamodeld/.xccurrentversion": currentVersion,
      "Sources/\(name)Kit/\(name).xcdatamodeld/\(name).xcdatamodel/contents": model,
    ]
  }
}

// MARK: - The package

extension AppTemplate {
  private var manifest: String {
    let apps = isWeb ? "\n    .package(name: \"Apps\", path: \"\(package)/Apps\")," : ""
    let server = isWeb ? ", .product(name: \"WebServer\", package: \"Apps\")" : ""
    let resources = isWeb ? ",\n      resources: [.copy(\"Web\")]" : ""
    let framework = usesSwiftData ? "SwiftData" : "CoreData"
    let plugins =
      usesSwiftData
      ? "" : ",\n      plugins: [.plugin(name: \"CoreDataModels\", package: \"open-core-data\")]"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        dependencies: [
          .package(name: "open-core-data", path: "\(package)"),\(apps)
        ],
        targets: [
          // The model, and what is done with it
          .target(
            name: "\(name)Kit",
            dependencies: [.product(name: "\(framework)", package: "open-core-data")]\(plugins)
          ),
          .executableTarget(
            name: "\(name)",
            dependencies: ["\(name)Kit"\(server)]\(resources)
          ),
          .testTarget(name: "\(name)Tests", dependencies: ["\(name)Kit"]),
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
      - `Sources/\(name)Kit/Notebook.swift` contains the operations on notes.
      - `Sources/\(name)` is the program.

      The notes are in a SQLite file, which the program names. `coredata inspect` and `coredata dump` show what is
      in it. \(usesSwiftData ? swiftDataVersions : versions)

      """
  }

  private var modelFile: String {
    """
    - `Sources/\(name)Kit/\(name).xcdatamodeld` is the data model. Change it in Xcode, in an editor, or with
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
      /// The file of the store, nil in memory.
      public let file: URL?
      private let context: NSManagedObjectContext

      /// What is shown of a note.
      public struct Line: Codable, Hashable, Sendable {
        public let id: UUID
        public let title: String
        public let isDone: Bool
      }

      /// Opens a store, which is made where there is none.
      ///
      /// - Parameter file: The store's file, or nil for a store in memory.
      public init(file: URL?) throws {
        guard let location = Bundle.module.url(forResource: "\(name)", withExtension: "momd"),
          let model = NSManagedObjectModel(contentsOf: location)
        else { throw CocoaError(.fileReadNoSuchFile) }
        let container = NSPersistentContainer(name: "\(name)", managedObjectModel: model)
        let description = file.map { NSPersistentStoreDescription(url: $0) } ?? NSPersistentStoreDescription()
        if file == nil { description.type = NSInMemoryStoreType }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        self.file = file
        context = container.newBackgroundContext()
      }

      /// The notes, the oldest first.
      public func lines() throws -> [Line] {
        try context.performAndWait {
          let request: NSFetchRequest<Note> = Note.fetchRequest()
          request.sortDescriptors = [NSSortDescriptor(keyPath: \\Note.created, ascending: true)]
          return try context.fetch(request).map {
            Line(id: $0.id ?? UUID(), title: $0.title ?? "", isDone: $0.isDone)
          }
        }
      }

      /// Adds a note.
      public func add(_ title: String) throws {
        try context.performAndWait {
          let note = Note(context: context)
          note.id = UUID()
          note.title = title
          note.created = Date()
          try save()
        }
      }

      /// Marks a note as done or not done. If the store has no such note, nothing changes.
      public func mark(_ id: UUID, done isDone: Bool) throws {
        try context.performAndWait {
          let request: NSFetchRequest<Note> = Note.fetchRequest()
          request.predicate = NSPredicate(format: "id == %@", id as any CVarArg)
          for note in try context.fetch(request) { note.isDone = isDone }
          try save()
        }
      }

      /// A save that is refused leaves no change behind.
      private func save() throws {
        do {
          try context.save()
        } catch {
          context.rollback()
          throw error
        }
      }
    }

    """
  }

  private var test: String {
    """
    import Foundation
    import Testing

    @testable import \(name)Kit

    struct NotebookTests {
      @Test func `a note is added and done`() throws {
        let notebook = try Notebook(file: nil)
        try notebook.add("First")
        try notebook.add("Second")
        let first = try #require(try notebook.lines().first)
        try notebook.mark(first.id, done: true)
        #expect(try notebook.lines().map(\\.title) == ["First", "Second"])
        #expect(try notebook.lines().map(\\.isDone) == [true, false])
      }
    }

    """
  }

  private var program: String {
    """
    import Foundation
    import \(name)Kit

    let file = URL.currentDirectory().appending(component: "\(name).sqlite")
    let words = CommandLine.arguments.dropFirst()
    let notebook = try Notebook(file: file)

    switch words.first {
    case "add":
      try notebook.add(words.dropFirst().joined(separator: " "))
    case "done":
      let lines = try notebook.lines()
      if let number = words.dropFirst().first.flatMap({ Int($0) }), lines.indices.contains(number - 1) {
        try notebook.mark(lines[number - 1].id, done: true)
      } else {
        print("there is no such note; swift run \(name) lists their numbers")
      }
    default:
      break
    }
    for (index, line) in try notebook.lines().enumerated() {
      print("\\(index + 1)  \\(line.isDone ? "✓" : "·")  \\(line.title)")
    }

    """
  }
}
