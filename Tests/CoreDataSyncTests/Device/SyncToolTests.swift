import ChildPrograms
import CoreData
import CoreDataSyncCore
import CoreDataSyncDevice
import CoreDataSyncPostgreSQL
import CoreDataSyncServer
import Foundation
import TestSupport
import Testing

/// `coredata sync` beside a program that keeps its store in step.
struct SyncToolTests {
  @Test("the tool tells what a sidecar knows, and deletes it when nobody uses it")
  func looking() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    let store = server.folder.appending(path: "phone.sqlite").path
    #expect(try Self.run("status", store).contains("waiting to be sent   0 values"))
    let lines = try Self.run("export", store).split(separator: "\n")
    let values = try lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    let title = try #require(values.first { $0["property"] as? String == "title" })
    #expect(title["value"] as? String == "Seeds" && title["entity"] as? String == "Folder")
    #expect(title["confirmed"] as? Bool == true && title["gone"] as? Bool == false)
    #expect(try Self.run("reset", store, "--yes").contains("Another program keeps phone.sqlite"))
    #expect(FileManager.default.fileExists(atPath: "\(store)-sync"))
    phone.stopSyncing()
    #expect(try Self.run("reset", store, "--yes").contains("begins anew"))
    #expect(!FileManager.default.fileExists(atPath: "\(store)-sync"))
    #expect(try phone.titles == ["garden": "Seeds"])
  }

  @Test(
    "what lost is told by the tool and by a container that is not asked to wait, and changes nothing"
  )
  func lost() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let phone = try server.container("phone", address: address)
    let laptop = try server.container("laptop", address: address)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    for container in [phone, laptop] { try await container.syncNow() }
    server.stop()
    for (title, container) in [("Bulbs", laptop), ("Soil", phone)] {
      try container.title(title, of: "garden")
    }
    try server.start()
    for container in [laptop, phone, laptop] { try await container.syncNow() }
    let holders = try [("phone", phone), ("laptop", laptop)].filter { try !$1.conflicts.isEmpty }
    let (name, holder) = try #require(holders.first)
    holder.stopSyncing()
    let store = server.folder.appending(path: "\(name).sqlite").path
    let files = try Self.files(of: server)
    let told = try Self.run("conflicts", store)
    #expect(told.contains("Folder.title  the ") && told.contains("Bulbs") != told.contains("Soil"))
    let status = try JSONSerialization.jsonObject(
      with: Data(try Self.run("status", store, "--json").utf8)
    )
    let facts = try #require(status as? [String: Any])
    #expect(facts["pending"] as? Int == 0 && facts["conflicts"] as? Int == 1)
    #expect(facts["confirmed"] is String && facts["quarantined"] as? Int == 0)
    #expect(try Self.files(of: server) == files)
  }

  @Test("a lost value with a line break was told on two lines, and could make up another conflict")
  func lostLines() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let phone = try server.container("phone", address: address)
    let laptop = try server.container("laptop", address: address)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    for container in [phone, laptop] { try await container.syncNow() }
    server.stop()
    for (title, container) in [("Bulbs\nand more", laptop), ("Soil\r\nand more", phone)] {
      try container.title(title, of: "garden")
    }
    try server.start()
    for container in [laptop, phone, laptop] { try await container.syncNow() }
    let holders = try [("phone", phone), ("laptop", laptop)].filter { try !$1.conflicts.isEmpty }
    let (name, holder) = try #require(holders.first)
    holder.stopSyncing()
    let told = try Self.run("conflicts", server.folder.appending(path: "\(name).sqlite").path)
    #expect(told.split(separator: "\n").count == 1 && told.contains("↵and more"), "\(told)")
  }

  @Test("an export had pictures in the place of what turns the direction of a text")
  func exportedControls() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    let title = "\u{2067}Seeds\u{2069}\u{2028}for \u{85}the\u{7F} garden"
    try phone.title(title, of: "garden")
    try await phone.syncNow()
    let text = try Self.run("export", server.folder.appending(path: "phone.sqlite").path)
    let values = try text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(values.contains { $0["value"] as? String == title }, "\(text)")
  }

  private static func files(of server: LocalServer) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
      .filter { $0.contains("-sync") }.sorted()
  }

  @Test("a pairing code holds the address, and a key where one is asked for")
  func pairing() throws {
    let server = try LocalServer()
    let address = try server.address()
    let code = try Self.run("pair", address, "--print", "code")
    #expect(try Self.run("pair", code, "--print", "address") == "\(address)\n")
    let told = try Self.run("pair", address, "--encrypt")
    #expect(told.contains("zone        Notes") && told.contains("encrypted   yes"))
    #expect(try Self.run("pair", "pair-nonsense").contains("pair") == true)
    #expect(try Self.run("pair", address, "--encrypt", "--passphrase").contains("choose one"))
  }

  @Test("another token gets the key of the first, which its help did not tell of")
  func secondToken() throws {
    let server = try LocalServer()
    let first = try Self.run("pair", try server.address(), "--encrypt", "--print", "address")
      .trimmingCharacters(in: .newlines)
    let key = try #require(first.split(separator: ".").last)
    let second = "\(try server.address()).\(key)"
    #expect(second != first)
    #expect(try Self.run("pair", second).contains("encrypted   yes"))
    #expect(try Self.run("pair", second, "--encrypt", "--print", "address") == "\(second)\n")
    #expect(try Self.run("pair", "--help").contains("need the same key"))
  }

  @Test("two programs had one zone, and each other's objects, and no help told of it")
  func zonesOfPrograms() throws {
    let server = try LocalServer()
    #expect(try Self.tool("serve", "--help").contains("Give each program a zone"))
    let words = ["serve", server.folder.path, "--new-token", "write", "--zone", "Recipes"]
    let address = try SyncAddress(String(try Self.tool(words).prefix { $0 != "\n" }))
    #expect(address.zone == "Recipes")
  }

  @Test("a zone gets a limit of its own while its server runs, and is told with what it keeps")
  func limits() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    let place = server.folder.path
    let answer = try Self.tool("serve", place, "--zone", "Notes", "--set-limit", "0.9kB")
    #expect(answer.contains("The zone Notes keeps ") && answer.contains(" of 900 bytes."))
    #expect(try Self.tool("serve", place, "--zones").contains(" of 900 bytes"))
    try phone.title(String(repeating: "Seeds ", count: 1_000), of: "garden")
    await #expect { try await phone.syncNow() } throws: { "\($0)".contains("is full") }
    #expect(try Self.tool("serve", place, "--set-limit", "none").contains("without a limit"))
    try await phone.syncNow()
    #expect(phone.pendingChangeCount == 0)
  }

  @Test("a zone that may keep all there is was told as one that nobody has given a limit")
  func noLimit() throws {
    let server = try LocalServer()
    let place = server.folder.path
    for (size, words) in [("none", "without a limit"), ("default", "without a limit of its own")] {
      #expect(try Self.tool("serve", place, "--set-limit", size).hasSuffix(", \(words).\n"))
      #expect(try Self.tool("serve", place, "--zones").hasSuffix(", \(words)\n"))
    }
  }

  @Test(
    "a server's database is looked after by its address, of which no password is ever told",
    .enabled(if: PostgreSQLServer.isInstalled)
  )
  func databases() throws {
    let place = PostgreSQLServer.shared.place().absoluteString
    let unused = try Self.tool("serve", "--store", place, "--tokens")
    #expect(unused.contains("no server has used it") && unused.contains("or start one there first"))
    let storage = try ServerStorage.postgreSQL(at: try #require(URL(string: place)))
    _ = try TokenBook(storage.tokens).make(zone: "Notes", .read, label: "kitchen", at: 0)
    #expect(
      try Self.tool("serve", "--store", place, "--tokens") == "1 Notes read valid kitchen\n"
    )
    #expect(try Self.tool("serve", "--store", place, "--revoke", "1").contains("is revoked"))
    #expect(try Self.tool("serve", "--store", place, "folder").contains("leave out the folder"))
    #expect(try Self.tool("serve", "--store", "folder").contains("begins with postgresql://"))
    let absent = try Self.tool("serve", "--store", "postgresql://notes:secret@/notes?host=/nowhere")
    #expect(absent.contains("postgresql://notes@/notes") && !absent.contains("secret"))
  }

  @Test("printed addresses named what a server listens at, which others cannot reach")
  func publicNames() throws {
    let server = try LocalServer()
    let folder = server.folder.path
    func printed(_ options: String...) throws -> String {
      try Self.tool(["serve", folder, "--new-token", "write"] + options)
    }
    let lines = try printed("--public-url", "https://notes.example.org/").split(separator: "\n")
    #expect(lines.first?.hasPrefix("https://notes.example.org/Notes#") == true)
    let code = try SyncAddress(String(lines.last ?? ""))
    #expect(code.server == "https://notes.example.org")
    #expect(try printed("--public-url", "https://a.b/sync").hasPrefix("https://a.b/sync/Notes#"))
    #expect(try printed("--host", "::1").hasPrefix("http://[::1]:8788/Notes#"))
    // A machine without a network does not have an address, and says so.
    for host in ["0.0.0.0", "::"] {
      let told = try printed("--host", host)
      #expect(!told.contains("//\(host)") && !told.contains("//[\(host)]"))
    }
    for wrong in ["notes.example.org", "https://", "https://a.b/?c", "https://a.b#c", "ftp://a.b"] {
      #expect(try printed("--public-url", wrong).contains("as in https://notes.example.org"))
    }
  }

  @Test("nobody was told that a server which is put back takes tokens again that were revoked")
  func tokensOfBackups() throws {
    let server = try LocalServer()
    let address = try SyncAddress(try server.address())
    let name = "backup-\(UUID().uuidString)"
    let backup = FileManager.default.temporaryDirectory.appending(path: name)
    // It goes with the temporary files otherwise.
    defer { try? FileManager.default.removeItem(at: backup) }
    server.stop()
    try FileManager.default.copyItem(at: server.folder, to: backup)
    try server.start()
    #expect(try server.service.tokens.revoke(1, of: nil))
    #expect(throws: ServiceRefusal.self) {
      try server.service.admit(to: address.zone, token: address.token)
    }
    server.stop()
    try server.start(in: backup)
    #expect(try server.service.admit(to: address.zone, token: address.token).number == 1)
    #expect(try Self.tool("serve", "--help").contains("were revoked since then are valid again"))
  }

  @Test("a token could only be printed, also where others read what the server prints")
  func tokenFiles() throws {
    let server = try LocalServer()
    let folder = server.folder.path
    let file = server.folder.appending(path: "token")
    let words = ["serve", folder, "--new-token", "write", "--token-file", file.path]
    let told = try Self.tool(words)
    #expect(told == "The address with the token, and its pairing code, are in \(file.path).\n")
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    let address = try SyncAddress(lines[0])
    #expect(try SyncAddress(lines[1]).token == address.token)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let refused = try Self.tool(words)
    #expect(refused.contains("no token was made: \(file.path) already exists. Name another file"))
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    let nowhere = server.folder.appending(path: "no/token").path
    let absent = try Self.tool("serve", folder, "--new-token", "read", "--token-file", nowhere)
    #expect(absent.contains("\(nowhere) cannot be made (No such file or directory)"))
    #expect(try Self.tool("serve", folder, "--tokens").split(separator: "\n").count == 1)
  }

  @Test("the first token stood in the output of a service")
  func firstTokenFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)")
    // It goes with the temporary files otherwise.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "token")
    // The second start makes no token, and leaves the file alone.
    for end in ["are in \(file.path).\n", "Stop with Ctrl-C.\n"] {
      let server = try ChildProgram(
        .built("coredata"),
        ["serve", folder.path, "--port", "0", "--token-file", file.path],
        output: .pipe
      )
      defer { server.kill() }
      var told = ""
      while !told.contains(end) {
        let data = server.output.availableData
        if data.isEmpty { break }
        told += String(decoding: data, as: UTF8.self)
      }
      #expect(told.contains("Stop with Ctrl-C") && !told.contains("#"), "\(told)")
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    #expect(try SyncAddress(lines[1]).token == SyncAddress(lines[0]).token)
  }

  @Test("a label of the command line could be on two lines, as none that comes over HTTP")
  func labels() throws {
    let server = try LocalServer()
    let folder = server.folder.path
    for label in ["phone\n9\tNotes\tadmin\tvalid", String(repeating: "a", count: 201)] {
      let told = try Self.tool("serve", folder, "--new-token", "read", "--label", label)
      #expect(told.contains("label"))
    }
    #expect(try Self.tool("serve", folder, "--tokens").isEmpty)
  }

  @Test(
    "a token stayed that nobody had got to know, and a full disk stopped the program with a trap"
  )
  func unwritableOutput() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID().uuidString)")
    // There may be none.
    defer { try? FileManager.default.removeItem(at: folder) }
    let full = URL(filePath: "/dev/full")
    for options in [["--port", "0"], ["--new-token", "admin"]] {
      // The first start makes the file; the other command needs it.
      let outcome = try ChildProgram.run(
        .built("coredata"),
        ["serve", folder.path] + options,
        output: .file(full)
      )
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("cannot be written"))
    }
    #expect(try Self.tool("serve", folder.path, "--tokens").isEmpty)
  }

  @Test("a command for a folder without a server said so, and not what to do")
  func foldersWithoutServers() throws {
    let name = "none-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    for options in [["--tokens"], ["--zones"], ["--new-token", "read"], ["--set-limit", "1GB"]] {
      let told = try Self.tool(["serve", folder.path] + options)
      #expect(told.contains("has no file zones.sqlite. Name the folder of the server, or"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("what keeps a server from its folder was told without its place and a remedy")
  func unusableFolders() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bad-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // It goes with the temporary files otherwise.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "zones.sqlite")
    try Data(String(repeating: "no database ", count: 1_000).utf8).write(to: file)
    func told(_ place: URL) throws -> String { try Self.tool("serve", place.path, "--port", "0") }
    #expect(try told(file).contains("\(file.path) is a file"))
    #expect(try told(file.appending(path: "in")).contains("Make the folder around it writable"))
    #expect(try told(folder).contains("\(file.path) is no database"))
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    #expect(try told(folder).contains("\(file.path) cannot be read and written"))
  }

  @Test("of two programs with one store one keeps it in step, and the other says so")
  func twoPrograms() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let first = try server.container("phone", address: address)
    try await first.syncNow()
    let second = try server.container("phone", address: address)
    defer { for container in [first, second] { container.stopSyncing() } }
    #expect(
      try await comes { second.syncStatus.problem?.description.contains("Another program") == true }
    )
    #expect(second.syncStatus.problem?.isTemporary == true)
    // It waited for ever.
    #expect(try second.conflicts.isEmpty)
    try second.title("Seeds", of: "garden")
    let laptop = try server.container("laptop", address: address)
    defer { laptop.stopSyncing() }
    try await first.syncNow()
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
  }

  @Test("a container begins, leaves and begins again while its store is loaded")
  func leaving() async throws {
    let server = try LocalServer()
    let address = try server.address()
    let phone = try server.container("phone", address: "")
    let laptop = try server.container("laptop", address: address)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    try phone.startSyncing(at: address)
    try await phone.syncNow()
    #expect(try await comes { try laptop.titles == ["garden": "Seeds"] })
    try phone.leaveServer()
    try phone.title("Soil", of: "compost")
    try await laptop.syncNow()
    #expect(try laptop.titles == ["garden": "Seeds"])
    #expect(phone.syncStatus.problem == nil && phone.lastConfirmed == nil)
    try phone.startSyncing(at: address)
    try await phone.syncNow()
    #expect(try await comes { try laptop.titles == ["garden": "Seeds", "compost": "Soil"] })
    #expect(throws: NSPersistentCloudKitContainer.SyncProblem.self) {
      try phone.startSyncing(at: "nowhere")
    }
  }

  @Test(
    "nobody was told that what is deleted after leaving goes elsewhere too, unless the history is deleted before",
    arguments: [true, false]
  )
  func deletedAfterLeaving(forgetsHistory: Bool) async throws {
    let server = try LocalServer()
    let address = try server.address()
    let phone = try server.container("phone", address: address)
    let laptop = try server.container("laptop", address: address)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    try phone.title("Seeds", of: "garden")
    for container in [phone, laptop] { try await container.syncNow() }
    try phone.leaveServer()
    try phone.deleteFolders(forgettingHistory: forgetsHistory)
    try phone.startSyncing(at: address)
    for container in [phone, laptop] { try await container.syncNow() }
    let left = forgetsHistory ? ["garden": "Seeds"] : [:]
    for container in [phone, laptop] { #expect(try container.titles == left) }
  }

  /// The output of `coredata sync VERB …`, on either channel.
  private static func run(_ arguments: String...) throws -> String {
    try tool(["sync"] + arguments)
  }

  static func tool(_ arguments: String...) throws -> String { try tool(arguments) }

  private static func tool(_ arguments: [String]) throws -> String {
    let outcome = try ChildProgram.run(.built("coredata"), arguments)
    return outcome.output + outcome.errors
  }
}

extension NSPersistentCloudKitContainer {
  func deleteFolders(forgettingHistory forgetsHistory: Bool) throws {
    let context = newBackgroundContext()
    try context.performAndWait {
      if forgetsHistory {
        let all = NSPersistentHistoryChangeRequest.deleteHistory(
          before: nil as NSPersistentHistoryToken?
        )
        _ = try context.execute(all)
      }
      for folder in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")) {
        context.delete(folder)
      }
      try context.save()
    }
  }
}
