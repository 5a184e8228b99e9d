import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Attributes that are more than a column pass from a child to its parent and on to the store.
@Suite struct ChildAttributeTests {
  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `composites, large data and derived texts go through a child context (50, 51, 52)`(
    _ kind: StoreKind
  ) throws {
    var image = AttributeSchema.attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    var place = AttributeSchema.attribute("place", .composite)
    place.elements = [.attribute("x", .double), .attribute("y", .double)]
    let model = ModelSchema.model(
      .entity(
        "Note",
        [.text("title"), .derived("search", .string, from: "canonical:(title)"), image, place]
      )
    )
    let stack = try ModelStack(model, kind)
    let parent = stack.context()
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    let large = Data(repeating: 3, count: ExternalFiles.limit + 1)
    try child.performAndWait {
      let note = child.new("Note", ["title": "É", "image": large, "place": ["x": 1.5]])
      try child.save()
      try parent.performAndWait { try parent.save() }
      note.setValue(2.5, forKeyPath: "place.y")
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    try stack.work { context in
      let note = try #require(try context.all("Note").first)
      #expect(note.textValue("search") == "e")
      #expect(note.value(forKey: "image") as? Data == large)
      #expect(note.value(forKeyPath: "place.x") as? Double == 1.5)
      #expect(note.value(forKeyPath: "place.y") as? Double == 2.5)
    }
  }
}
