import Foundation
import Testing

// MARK: - What is left to decide

extension PortTests {
  static let left: [(String, String)] = [
    (
      "import Combine\nlet changes: AnyPublisher<Int, Never>",
      "Notes.swift:1: Combine does not exist on Linux; add the product CoreDataCombine to the target"
    ),
    (
      "import Network\nlet monitor = NWPathMonitor()",
      "NWPathMonitor is of Network, which Linux does not have"
    ),
    (
      "import os.lock\nvar lock = os_unfair_lock()",
      "os_unfair_lock is of os, which Linux does not have"
    ),
    (
      "import UIKit\nclass Note: NSManagedObject { var picture: UIImage? }",
      "Notes.swift:2: UIImage draws a user interface, which Linux does not have; keep the data"
    ),
    (
      #"let title = String(localized: "Title")"#,
      "String(localized:) does not exist on Linux"
    ),
    (
      ##"let text = "\(#selector(save))""##,
      "#selector does not exist on Linux; write the name into the text"
    ),
    (
      "import SwiftUI\nstruct List: View {}",
      "Notes.swift:2: the file draws a user interface (View) and is left alone"
    ),
    (
      "extension Note { override func prepareForDeletion() {} }",
      "an extension cannot override here"
    ),
    (
      "import Combine\nclass Model: ObservableObject {}",
      "add the product CoreDataCombine to the target"
    ),
    (
      "import SwiftData\n@Model final class Note: ObservableObject {}",
      "Notes.swift:2: ObservableObject is of Combine, which Foundation imports on Apple's systems only"
    ),
    (
      "import SwiftData\nimport SwiftUI\nstruct List: View { @Query var notes: [Note] }",
      "into a file of its own; a ResultsObserver follows a fetch as @Query does"
    ),
    (
      "import SwiftData\nimport SwiftUI\nstruct N: App { var body: some Scene { W {}.modelContainer(for: Note.self) } }",
      "into a file of its own; ModelContainer(for:) makes the container"
    ),
    (
      "import SwiftData\nstruct Notes { @Query var notes: [Note] }",
      "Notes.swift:2: @Query is SwiftUI's; follow the fetch with a ResultsObserver"
    ),
    ("button.addTarget(self, action: #selector(save))", "#selector does not exist on Linux"),
    (
      "let request = Note.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>",
      "a cast between types of NSFetchRequest always fails on Linux; write "
        + "NSFetchRequest<NSFetchRequestResult>(request)"
    ),
    (
      "guard let notes = request as? NSFetchRequest<Note> else { return }",
      "a cast between types of NSFetchRequest always fails on Linux"
    ),
    (
      "if let notes = controller as? NSFetchedResultsController<Note> {}",
      "a cast between types of NSFetchedResultsController always fails on Linux"
    ),
    (
      "options.databaseScope = .shared",
      "databaseScope is CloudKit's; remove it: a token says what a device may read and write"
    ),
    ("let error = event.error as? CKError", "CKError is CloudKit's, which Linux does not have"),
    (
      "let events = NSPersistentCloudKitContainerEventRequest.fetchForEvents()",
      "fetchForEvents: Linux has no fetch request for the events of a container; make the request with "
        + "fetchEvents(after:)"
    ),
    (
      "let request = EventRequest.fetchEvents(matchingFetch: events)",
      "matchingFetch: Linux has no fetch request for the events of a container"
    ),
    (
      "container.fetchShares(in: store)",
      "fetchShares is CloudKit's, which Linux does not have; remove it"
    ),
    (
      #"let text = "\(#keyPath(Note.title).count)""#,
      "Notes.swift:1: #keyPath does not exist on Linux; write the key into the text"
    ),
    ("@objc(CDNote)\nclass Note: NSManagedObject {}", "Objective-C knew class Note as CDNote"),
    (
      "func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}",
      "validateTitle is called by its name on Apple's systems; list it in propertyValidations"
    ),
    (
      "class func keyPathsForValuesAffectingName() -> Set<String> { [] }",
      "keyPathsForValuesAffectingName is called by its name on Apple's systems; override"
    ),
    (
      "override func observeValue(forKeyPath path: String?) {}",
      "overrides nothing on Linux; adopt KeyValueObserver"
    ),
    (
      "override func didChangeValue(forKey key: String) {}",
      "didChangeValue cannot be overridden on Linux, and must not be on Apple's systems; override willSave()"
    ),
    (
      "protocol A {\n  @objc optional func count() -> Int\n}",
      "no optional requirements; give this one a default"
    ),
  ]

  @Test func `each call of a logger was a line of its own`() throws {
    let log = "import os\nlet log = Logger()\nfunc f() { Logger().info(1); os_log(2); os_log(3) }\n"
    let own = "import os\nlet own = Logger()\n"
    let first = try Program.run("port", try folder(["Notes.swift": log]).path)
    #expect(first.errors.components(separatedBy: "package swift-log").count == 3)
    let second = try Program.run(
      "port",
      try folder(["Notes.swift": own, "Logger.swift": "struct Logger {}\n"]).path
    )
    #expect(!second.errors.contains("swift-log"))
  }

  @Test(arguments: left)
  func `what a person must decide is listed with its line and a remedy`(
    text: String,
    sentence: String
  ) throws {
    let folder = try folder(["Notes.swift": text])
    let outcome = try Program.run("port", folder.path)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("1 left to decide"))
  }

  @Test(arguments: [
    "func validateForm(_ text: String) throws {}",
    "override func validateValue(_ v: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) {}",
    """
    extension Note: PropertyValidating {
      func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
    }
    """,
    "override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }",
    "func observeValue(forKeyPath path: String?) {}",
  ])
  func `nothing is said of methods that somebody calls`(text: String) throws {
    let folder = try folder(["Notes.swift": text])
    let outcome = try Program.run("port", folder.path)
    #expect(outcome.errors.contains("nothing is left to decide"), "\(outcome.errors)")
  }
}
