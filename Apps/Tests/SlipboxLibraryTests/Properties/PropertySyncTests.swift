import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Properties of one note that two devices change while neither reaches the other.
@Suite(.serialized) struct PropertySyncTests {
  @Test("Devices that change different properties have both, and one that both have made is one")
  func merging() async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let (id, soil) = (try await phone.note("Plan").id.uuid, try await phone.note("Soil").id.uuid)
    _ = try await phone.change(id, PropertyEdit("due", kind: "date", value: "2026-12-01"))
    _ = try await phone.change(id, PropertyEdit("rating", kind: "number", value: "1"))
    try await SyncingTests.settle(phone, desk)
    #expect(try await desk.properties(of: id) == ["due date 2026-12-01", "rating number 1"])
    #expect(try await desk.found("due:<2026-12-02 rating:1") == ["Plan"])
    server.stop()
    _ = try await phone.change(id, PropertyEdit("due", value: "2026-12-24"))
    _ = try await phone.change(id, PropertyEdit("author", value: "Ursula"))
    _ = try await phone.change(id, PropertyEdit("part of", kind: "link", value: "Soil"))
    _ = try await desk.change(id, PropertyEdit("rating", value: "5"))
    _ = try await desk.change(id, PropertyEdit("author", value: "Ursula"))
    try server.start()
    try await SyncingTests.settle(phone, desk)
    for box in [phone, desk] {
      let properties = try await box.properties(of: id)
      #expect(
        Set(properties) == [
          "due date 2026-12-24", "rating number 5", "author text Ursula", "part of link Soil",
        ]
      )
      #expect(properties.count == 4)
      #expect(try await box.found("rating:>4 due:2026-12-24 author:urs ursula") == ["Plan"])
      #expect(try await box.library.note(soil).backlinks.map(\.title) == ["Plan"])
    }
    var edit = PropertyEdit("author")
    edit.removed = true
    _ = try await desk.change(id, edit)
    try await SyncingTests.settle(desk, phone)
    #expect(try await phone.properties(of: id).count == 3)
    #expect(try await phone.found("ursula") == [])
  }

  @Test(
    "A kind and a value that two devices give to one property stay together, and the other is kept"
  )
  func conflicts() async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let id = try await phone.note("Plan").id.uuid
    _ = try await phone.change(id, PropertyEdit("due", kind: "text", value: "soon"))
    try await SyncingTests.settle(phone, desk)
    server.stop()
    _ = try await phone.change(id, PropertyEdit("due", kind: "number", value: "3"))
    try await SyncingTests.isLater()
    _ = try await desk.change(id, PropertyEdit("due", kind: "date", value: "2026-12-01"))
    try server.start()
    try await SyncingTests.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await box.properties(of: id) == ["due date 2026-12-01"])
    }
    let onPhone = try await phone.library.syncConflicts()
    let holder = onPhone.isEmpty ? desk : phone
    let conflict = try #require(try await holder.library.syncConflicts().first)
    #expect(conflict.kind == "note" && conflict.about == id.text && conflict.name == "Plan")
    #expect(conflict.fields.map(\.name) == ["Property “due”"])
    #expect(conflict.fields.map(\.lost) == ["3"] && conflict.fields.first?.now == "2026-12-01")
    _ = try await holder.library.takeBack(conflict: conflict.id, by: nil)
    #expect(try await holder.properties(of: id) == ["due number 3"])
    withExtendedLifetime(server) {}
  }

  @Test("Two properties of one name, of which a device renamed one, are both there and found once")
  func sameName() async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let id = try await phone.note("Plan").id.uuid
    _ = try await phone.change(id, PropertyEdit("a", kind: "number", value: "1"))
    try await SyncingTests.settle(phone, desk)
    server.stop()
    var edit = PropertyEdit("a")
    edit.newName = "b"
    _ = try await phone.change(id, edit)
    _ = try await desk.change(id, PropertyEdit("b", kind: "number", value: "2"))
    try server.start()
    try await SyncingTests.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await box.properties(of: id).count == 2)
      let sorting = NoteSorting.property("b", isAscending: true)
      #expect(
        try await box.library.notes(NoteQuery(sorting: sorting)).rows.map(\.title) == ["Plan"]
      )
    }
    withExtendedLifetime(server) {}
  }
}
