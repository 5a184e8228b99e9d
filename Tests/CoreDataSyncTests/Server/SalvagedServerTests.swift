import ChildPrograms
import CoreData
import CoreDataSyncCore
import Foundation
import Testing

/// `coredata serve --salvage` as a process, between devices that have what its damaged file lacks.
struct SalvagedServerTests {
  /// A server as a process, which can be started again at its port.
  private final class Server {
    let folder: URL
    private let port: KeptPort
    private var program: ChildProgram?
    private(set) var address = ""
    private(set) var said = ""
    var zones: URL { folder.appending(path: "zones.sqlite") }

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "salvaged-\(UUID())")
      port = try KeptPort()
      try start()
      address = try #require(said.split(separator: "\n").first { $0.contains("#") })
        .trimmingCharacters(in: .whitespaces)
    }

    deinit {
      program?.kill()
      // It goes with the temporary files otherwise.
      try? FileManager.default.removeItem(at: folder)
    }

    func start(_ options: String...) throws {
      let program = try ChildProgram(
        try URL.built("coredata"),
        ["serve", folder.path, "--port", "\(port.number)"] + options,
        output: .pipe
      )
      self.program = program
      said = ""
      // The first time, the address follows.
      let last = address.isEmpty ? "#" : "Serving "
      while !said.contains(last) || said.last != "\n" {
        let data = program.output.availableData
        if data.isEmpty { break }
        said += String(decoding: data, as: UTF8.self)
      }
      try #require(said.contains("Serving "), "\(said)")
    }

    func stop() { program?.terminate() }
  }

  private func damage(_ file: URL, page: Int) throws {
    var bytes = try Data(contentsOf: file)
    let range = page * 4096..<(page + 1) * 4096
    bytes.replaceSubrange(range, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: file)
  }

  /// The numbers of pages that have a text.
  private func pages(with text: String, in file: URL) throws -> Set<Int> {
    var bytes = try Data(contentsOf: file)
    var pages: Set<Int> = []
    while let place = bytes.firstRange(of: Data(text.utf8)) {
      pages.insert(place.lowerBound / 4096)
      bytes[place.lowerBound] ^= 1
    }
    return pages
  }

  @Test("After --salvage, two devices and the server have everything that one of the devices had")
  func converges() async throws {
    let server = try Server()
    let devices = try LocalServer()
    let phone = try devices.container("phone", address: server.address)
    let laptop = try devices.container("laptop", address: server.address)
    defer { for container in [phone, laptop] { container.stopSyncing() } }
    for number in 0..<60 {
      try phone.title(
        "Title \(number) " + String(repeating: "y", count: 300),
        of: "key \(number)"
      )
    }
    try await phone.syncNow()
    #expect(try await comes { try laptop.titles.count == 60 })
    for container in [phone, laptop] { container.stopSyncing() }
    server.stop()
    for page in try pages(with: "Title 3", in: server.zones) {
      try damage(server.zones, page: page)
    }
    // Each of these changes is on one device only.
    try phone.title("From the phone", of: "phone")
    try laptop.title("From the laptop", of: "laptop")
    try laptop.title("Changed here", of: "key 31")

    try server.start("--salvage")
    #expect(server.said.contains("The file was damaged"))
    #expect(server.said.contains("1 token"))
    #expect(
      FileManager.default.fileExists(atPath: server.zones.path + ".damaged-1")
    )
    try phone.startSyncing(at: server.address)
    try laptop.startSyncing(at: server.address)
    #expect(
      try await comes {
        let (one, other) = (try phone.titles, try laptop.titles)
        return one.count == 62 && one == other && one["key 31"] == "Changed here"
      }
    )
    // A device that had nothing has everything from the server alone.
    for container in [phone, laptop] {
      try await container.syncNow()
      container.stopSyncing()
    }
    let tablet = try devices.container("tablet", address: server.address)
    defer { tablet.stopSyncing() }
    try await tablet.syncNow()
    #expect(try tablet.titles == phone.titles)
    #expect(try phone.conflicts.isEmpty && laptop.conflicts.isEmpty)
    server.stop()
    try server.start("--salvage")
    #expect(server.said.contains("is not damaged, and stays as it is"))
  }
}
