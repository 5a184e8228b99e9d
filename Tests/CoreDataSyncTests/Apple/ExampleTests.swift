import CoreData
import CoreDataSyncDevice
import Foundation
import TestSupport
import Testing

@testable import AppleExample

/// The model layer of the example for Apple's systems, over a server.
@MainActor
struct ExampleTests {
  private let server: LocalServer
  private let folder: URL

  init() throws {
    server = try LocalServer()
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func notebook(_ name: String) throws -> Notebook {
    let model = try #require(
      Bundle.module.url(forResource: "Notes", withExtension: "momd")
        .flatMap(NSManagedObjectModel.init(contentsOf:))
    )
    return try Notebook(model: model, file: folder.appending(path: "\(name).sqlite"))
  }

  /// Waits for something that the main actor learns.
  private func wait(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition(), .now < end { try await Task.sleep(for: .milliseconds(20)) }
    try #require(condition())
  }

  @Test(
    "a note that one device writes is in the list of the other, and a value that lost can be restored"
  )
  func twoDevices() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (phone, mac) = (try notebook("phone"), try notebook("mac"))
    for (book, name) in [(phone, "phone"), (mac, "mac")] {
      book.join(try server.address(), deviceName: name)
      try #require(book.problem == nil)
    }
    let note = phone.add()
    note.title = "Seeds"
    phone.save()
    try await wait { mac.notes.map(\.title) == ["Seeds"] }
    try await wait { phone.status?.pendingSaveCount == 0 && phone.status?.countsAreKnown == true }

    // Both write without having seen the other's text.
    phone.pause(true)
    mac.pause(true)
    note.contents = "They want warmth."
    phone.save()
    mac.notes[0].contents = "They want light."
    mac.save()
    phone.pause(false)
    try await wait { phone.status?.pendingSaveCount == 0 && phone.status?.isActive == false }
    mac.pause(false)
    try await wait { phone.conflicts.count + mac.conflicts.count > 0 }
    let book = phone.conflicts.isEmpty ? mac : phone
    let conflict = try #require(book.conflicts.first)
    #expect(conflict.propertyName == "contents")
    await book.settle(conflict, takesBack: true)
    #expect(book.conflicts.isEmpty && book.problem == nil)
    try await wait { phone.notes.first?.contents == conflict.losingText }
    try await wait { mac.notes.first?.contents == conflict.losingText }

    mac.delete(mac.notes[0])
    try await wait { phone.notes.isEmpty }
    phone.leave()
    mac.leave()
    #expect(phone.status == nil && mac.status == nil)
  }

  @Test("an address that is not one is a problem in words, and the notes stay on the device")
  func wrongAddress() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let phone = try notebook("phone")
    phone.join("not an address", deviceName: "phone")
    #expect(phone.problem?.isEmpty == false && phone.status == nil)
    _ = phone.add()
    #expect(phone.notes.map(\.title) == ["New note"])
  }
}
