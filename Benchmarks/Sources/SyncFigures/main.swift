import CoreData
import Foundation

// The cost of keeping devices in step. Each device is a process of its own, as it would be.
//
//     SyncFigures COREDATA NOTES [DATABASE]              measures, with the tool `coredata` as server
//     SyncFigures device STORE ADDRESS                   follows; answers the words on its input
//
// Only public API is used, so a figure has all that a program waits for; except for the load on the server (`Load`),
// which would otherwise be limited by the devices. Figures with a bar are compared with it: if one misses it by more
// than a tenth, the exit status is 1.

// MARK: - The model: notes in folders

private func makeModel() -> NSManagedObjectModel {
  func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }
  let (note, folder) = (NSEntityDescription(), NSEntityDescription())
  for (entity, name) in [(note, "Note"), (folder, "Folder")] {
    (entity.name, entity.managedObjectClassName) = (name, "NSManagedObject")
  }
  let (place, notes) = (NSRelationshipDescription(), NSRelationshipDescription())
  (place.name, place.destinationEntity, place.inverseRelationship) = ("folder", folder, notes)
  (notes.name, notes.destinationEntity, notes.inverseRelationship) = ("notes", note, place)
  (place.maxCount, notes.maxCount) = (1, 0)
  (place.isOptional, notes.isOptional) = (true, true)
  note.properties = [
    attribute("title", .stringAttributeType), attribute("text", .stringAttributeType),
    attribute("stars", .integer64AttributeType), attribute("date", .dateAttributeType), place,
  ]
  folder.properties = [attribute("title", .stringAttributeType), notes]
  let model = NSManagedObjectModel()
  model.entities = [note, folder]
  return model
}

private func opened(_ path: String, address: String) throws -> NSPersistentCloudKitContainer {
  let container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: makeModel())
  let description = container.persistentStoreDescriptions[0]
  description.url = URL(filePath: path)
  description.cloudKitContainerOptions?.syncAddress = address
  var failure: (any Error)?
  container.loadPersistentStores { _, error in failure = error }
  if let failure { throw failure }
  return container
}

private func fill(_ container: NSPersistentContainer, _ count: Int) throws {
  let text = String(repeating: "One thought on each slip, in whole sentences. ", count: 8)
  for start in stride(from: 0, to: count, by: 1_000) {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue("Folder \(start)", forKey: "title")
      for number in start..<min(start + 1_000, count) {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue("Note \(number)", forKey: "title")
        note.setValue("\(number) \(text)", forKey: "text")
        note.setValue(number % 6, forKey: "stars")
        note.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "date")
        note.setValue(folder, forKey: "folder")
      }
      try context.save()
    }
  }
}

private func rename(_ container: NSPersistentContainer, to title: String) throws {
  let context = container.newBackgroundContext()
  try context.performAndWait {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: "stars == 99")
    let known = try context.fetch(request).first
    let note = known ?? NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue(title, forKey: "title")
    note.setValue(99, forKey: "stars")
    try context.save()
  }
}

private func title(in container: NSPersistentContainer) throws -> String? {
  let context = container.newBackgroundContext()
  return try context.performAndWait {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: "stars == 99")
    return try context.fetch(request).first?.value(forKey: "title") as? String
  }
}

private func peakMegabytes(ofProcess process: String = "self") -> Int {
  // A process that has ended does not use memory.
  let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
  let words = line?.split(whereSeparator: \.isWhitespace) ?? []
  return words.count > 1 ? (Int(words[1]) ?? 0) / 1024 : 0
}

/// The processor's time that a process has taken so far.
private func processorSeconds(ofProcess process: Int32) -> Double {
  // A process that has ended takes no time.
  let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
  // Behind the program's name, which may have spaces: the twelfth word is the user's time, then the system's.
  let words = line.split(separator: ")").last?.split(separator: " ") ?? []
  let ticks = words.count > 12 ? (Double(words[11]) ?? 0) + (Double(words[12]) ?? 0) : 0
  return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
}

private func seconds(_ work: () async throws -> Void) async rethrows -> Double {
  let begun = ContinuousClock.now
  try await work()
  let took = begun.duration(to: .now)
  return Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
}

// MARK: - A device

/// Answers a line for each line: `sync`, `fill N`, `rename TITLE`, `await TITLE`, `memory`.
private func serve(_ container: NSPersistentCloudKitContainer) async throws {
  while let line = readLine() {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case "sync":
      print(try await seconds { try await container.syncNow() })
    case "fill": print(try await seconds { try fill(container, Int(rest) ?? 0) })
    case "rename":
      try rename(container, to: rest)
      print(Date().timeIntervalSince1970)
    case "await":
      while try title(in: container) != rest { usleep(500) }
      print(Date().timeIntervalSince1970)
    default: print(peakMegabytes())
    }
    fflush(nil)
  }
  container.stopSyncing()
}

/// A device in a process of its own.
private final class Device {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  init(_ store: String, address: String) throws {
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["device", store, address]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func tell(_ line: String) { input.fileHandleForWriting.write(Data("\(line)\n".utf8)) }

  func answer() -> Double {
    var text = ""
    while !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
  }

  func ask(_ line: String) -> Double {
    tell(line)
    return answer()
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

// MARK: - Measuring

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The bound for a figure.
private enum Bar {
  case atLeast(Double)
  case atMost(Double)

  /// Whether a value is beyond it by more than a tenth, which machines differ by from run to run.
  func isMissed(by value: Double) -> Bool {
    switch self {
    case .atLeast(let bar): !(value >= bar * 0.9)
    case .atMost(let bar): !(value <= bar * 1.1)
    }
  }

  var words: String {
    switch self {
    case .atLeast(let bar): String(format: "at least %.4g", bar)
    case .atMost(let bar): String(format: "at most %.4g", bar)
    }
  }
}

/// Prints figures, and knows which of them have missed their bars.
private struct Figures {
  private(set) var missed: [String] = []

  mutating func tell(_ name: String, _ value: Double, _ unit: String, _ bar: Bar? = nil) {
    let figure = "\(String(format: "%.1f", value)) \(unit)"
    var line = "\(name.padding(toLength: 52, withPad: " ", startingAt: 0)) \(figure)"
    if let bar {
      let isMissed = bar.isMissed(by: value)
      if isMissed { missed.append(name) }
      line += "   (\(bar.words)\(isMissed ? ", missed" : ""))"
    }
    print(line)
    fflush(nil)
  }
}

/// Saves to two stores in turns, so that both meet the same machine.
private func measureSaves(
  _ folder: URL,
  _ address: String,
  _ figures: inout Figures
) async throws {
  let stores = try ["alone": "", "kept in step": address].map { name, address in
    (name, try opened(folder.appending(path: "saves-\(name).sqlite").path, address: address))
  }
  var times: [String: [Double]] = [:]
  for number in 0..<450 {
    for (name, container) in stores {
      let time = try await seconds { try rename(container, to: "\(number)") }
      if number >= 50 { times[name, default: []].append(time * 1000) }
    }
  }
  for (name, container) in stores {
    figures.tell("a save with history, \(name)", median(times[name] ?? [0]), "ms")
    container.stopSyncing()
  }
  let ratio = median(times["kept in step"] ?? [0]) / median(times["alone"] ?? [1])
  figures.tell("kept in step to alone", ratio, "times", .atMost(1.1))
}

/// - Returns: The names of the figures that have missed their bars.
private func measure(_ tool: String, notes: Int, database: String?) async throws -> [String] {
  var figures = Figures()
  let folder = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let server = Process()
  let output = Pipe()
  server.executableURL = URL(filePath: tool)
  let storage = database.map { ["--store", $0] } ?? [folder.appending(path: "server").path]
  server.arguments = ["serve", "--port", "0"] + storage
  server.standardOutput = output
  try server.run()
  defer {
    server.terminate()
    server.waitUntilExit()
  }
  var text = ""
  while !text.contains("#") || text.last != "\n" {
    text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }
  let line = text.split(separator: "\n").first { $0.contains("#") } ?? ""
  let address = line.trimmingCharacters(in: .whitespaces)

  let phonePath = folder.appending(path: "phone.sqlite").path
  let phone = try Device(phonePath, address: address)
  let laptop = try Device(folder.appending(path: "laptop.sqlite").path, address: address)
  _ = (phone.ask("sync"), laptop.ask("sync"))
  var ways: [Double] = []
  for number in 0..<60 {
    laptop.tell("await edit \(number)")
    let begun = phone.ask("rename edit \(number)")
    ways.append((laptop.answer() - begun) * 1000)
  }
  figures.tell("one edit until the other device has it", median(ways), "ms", .atMost(200))
  figures.tell("the slowest but one of twenty", ways.sorted()[ways.count * 19 / 20], "ms")
  try await measureSaves(folder, address, &figures)
  laptop.end()

  // A minute and 150 MB are for 100,000 notes; more notes take no more memory.
  let minute = Bar.atMost(max(60 * Double(notes) / 100_000, 1))
  let memory = Bar.atMost(150)
  figures.tell("\(notes) notes are made", phone.ask("fill \(notes)"), "s")
  let before = processorSeconds(ofProcess: server.processIdentifier)
  figures.tell("they go to the server", phone.ask("sync"), "s", minute)
  let taking = processorSeconds(ofProcess: server.processIdentifier) - before
  // A note has five values and its life.
  figures.tell("cells the server takes in a second of its time", Double(notes * 6) / taking, "")
  figures.tell("at most, the device had", phone.ask("memory"), "MB", memory)
  let tablet = try Device(folder.appending(path: "tablet.sqlite").path, address: address)
  let down = tablet.ask("sync")
  figures.tell("they come to a new device", down, "s", minute)
  figures.tell("at most, that device had", tablet.ask("memory"), "MB", memory)
  figures.tell("cells to a device in a second", Double(notes * 6) / down, "")
  let peak = peakMegabytes(ofProcess: String(server.processIdentifier))
  figures.tell("at most, the server had", Double(peak), "MB", memory)
  for device in [phone, tablet] { device.end() }
  let sidecar = try FileManager.default.attributesOfItem(atPath: "\(phonePath)-sync")[.size]
  let bytes = (sidecar as? NSNumber)?.doubleValue ?? 0
  figures.tell("the sidecar has for each note", bytes / Double(notes), "bytes")
  // At the end, because its cells would come to the devices. A database is measured without a bar.
  let load = try Load(address).cellsPerSecond()
  let bar = database == nil ? Bar.atLeast(50_000) : nil
  figures.tell("cells the server takes in a second, over HTTP", load, "", bar)
  return figures.missed
}

private let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "device" {
  try await serve(try opened(arguments[2], address: arguments[3]))
} else if [3, 4].contains(arguments.count), let notes = Int(arguments[2]), notes > 0 {
  let missed = try await measure(
    arguments[1],
    notes: notes,
    database: arguments.dropFirst(3).first
  )
  if !missed.isEmpty {
    let words = "Missed by more than a tenth: \(missed.joined(separator: "; ")).\n"
    FileHandle.standardError.write(Data(words.utf8))
    exit(1)
  }
} else {
  FileHandle.standardError.write(
    Data("SyncFigures COREDATA NOTES [DATABASE]; see Scripts/measure-sync\n".utf8)
  )
  exit(64)
}
