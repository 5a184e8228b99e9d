import CoreData
import Foundation

// A device that follows others until it is killed.
//
//     program-to-follow edit NAME /path/of/Notes.sqlite ADDRESS    saves, and writes the saves to NAME's log:
//                                                                  a new note, one that got a title, the one before
//     program-to-follow show NAME /path/of/Notes.sqlite ADDRESS    prints all notes once it is in step
//
// It imports CoreData only, as programs do; the module that synchronizes stores is found by its name.

private let arguments = CommandLine.arguments
guard arguments.count == 5 else { exit(2) }
private let name = arguments[2]
private let file = URL(fileURLWithPath: arguments[3])

private func attribute(_ name: String) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = .stringAttributeType
  attribute.isOptional = true
  return attribute
}

private func model() -> NSManagedObjectModel {
  let note = NSEntityDescription()
  note.name = "Note"
  note.managedObjectClassName = "NSManagedObject"
  note.properties = ["key", "title"].map(attribute)
  let model = NSManagedObjectModel()
  model.entities = [note]
  return model
}

private let container = NSPersistentCloudKitContainer(name: name, managedObjectModel: model())
container.persistentStoreDescriptions[0].url = file
container.persistentStoreDescriptions[0].cloudKitContainerOptions?.syncAddress = arguments[4]
container.loadPersistentStores { _, error in
  guard let error else { return }
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}

@Sendable
private func notes(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
  try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
}

// MARK: - Editing

/// Makes a note, gives one a title, and saves; returns both, with the old title.
private func edit(_ number: Int, in context: NSManagedObjectContext) throws -> String {
  let key = "\(name)-\(getpid())-\(number)"
  return try context.performAndWait {
    while true {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(key, forKey: "key")
      note.setValue("made", forKey: "title")
      let other = try notes(in: context).randomElement() ?? note
      let said = [
        key, other.value(forKey: "key") as? String, other.value(forKey: "title") as? String,
      ]
      other.setValue("by \(key)", forKey: "title")
      do {
        try context.save()
        return said.map { $0 ?? "?" }.joined(separator: "\t")
      } catch let error as CocoaError where error.code.rawValue == NSManagedObjectMergeError {
        // Another program's save came between; a program does not replace a value that it has not seen.
        context.reset()
      }
    }
  }
}

/// Edits for a while, so that a late kill does not find a mountain of notes; then goes on following.
private func editUntilKilled() throws {
  let log = open(file.deletingPathExtension().path + ".log", O_WRONLY | O_APPEND | O_CREAT, 0o600)
  for number in 0..<30 {
    let line = Array("\(try edit(number, in: container.newBackgroundContext()))\n".utf8)
    guard write(log, line, line.count) == line.count else { exit(3) }
    usleep(UInt32.random(in: 2_000...30_000))
  }
  while true { pause() }
}

// MARK: - Showing

private func show() async throws {
  try await container.syncNow()
  let context = container.newBackgroundContext()
  let lines = try await context.perform {
    try notes(in: context).map {
      "\($0.value(forKey: "key") as? String ?? "?") \($0.value(forKey: "title") as? String ?? "?")"
    }
  }
  print(lines.sorted().joined(separator: "\n"))
  container.stopSyncing()
}

do {
  if arguments[1] == "edit" { try editUntilKilled() } else { try await show() }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
