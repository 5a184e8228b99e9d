import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Derived attributes have the same values in every kind of store, in SQL and in memory.
@Suite struct DerivedAttributeTests {
  private static let model = ModelSchema.model(
    .entity(
      "Folder",
      [
        .text("name"), .derived("noteCount", .integer64, from: "notes.@count"),
        .derived("stars", .integer64, from: "notes.@sum.stars"),
        .derived("most", .integer16, from: "notes.@max.stars"),
        .derived("least", .integer16, from: "notes.@min.stars"),
        .derived("mean", .double, from: "notes.@avg.stars"),
        .derived("shout", .string, from: "uppercase:(name)"),
      ],
      [
        .many("notes", "Note", back: "folder"), .one("parent", "Folder", back: "children"),
        .many("children", "Folder", back: "parent"),
      ]
    ),
    .entity(
      "Note",
      [
        .text("title"), .attribute("stars", .integer16),
        .derived("searchTitle", .string, from: "canonical:(title)"),
        .derived("quiet", .string, from: "lowercase:(title)"),
        .derived("folderName", .string, from: "folder.name"),
        .derived("searchFolder", .string, from: "canonical:(folder.name)"),
        .derived("grandparent", .string, from: "folder.parent.name"),
        .derived("tagCount", .integer32, from: "tags.@count"),
        .derived("weight", .double, from: "tags.@sum.weight"),
        .derived("modified", .date, from: "now()"),
      ],
      [.one("folder", "Folder", back: "notes"), .many("tags", "Tag", back: "notes")]
    ),
    .entity("Tag", [.attribute("weight", .double)], [.many("notes", "Note", back: "tags")])
  )

  private static func totals(_ folder: NSManagedObject) -> [Double?] {
    ["noteCount", "stars", "most", "least", "mean"].map { folder.numberValue($0) }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `a derived attribute has its value after the save that caused it (50)`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let root = context.new("Folder", ["name": "Root"])
      let folder = context.new("Folder", ["name": "Éclairs", "parent": root])
      let note = context.new("Note", ["title": "Crème BRÛLÉE", "stars": 4, "folder": folder])
      _ = context.new("Note", ["title": "Tea", "stars": 1, "folder": folder])
      note.setValue(
        NSSet(array: [1.5, 2].map { context.new("Tag", ["weight": $0]) }),
        forKey: "tags"
      )
      let before = Date().addingTimeInterval(-0.01)
      try context.save()
      #expect(Self.totals(folder) == [2, 5, 4, 1, 2.5])
      #expect(Self.totals(root) == [0, 0, nil, nil, 0])
      #expect(folder.textValue("shout") == "ÉCLAIRS")
      #expect(note.textValue("searchTitle") == "creme brulee")
      #expect(note.textValue("quiet") == "crème brûlée")
      #expect(note.textValue("folderName") == "Éclairs")
      #expect(note.textValue("searchFolder") == "eclairs")
      #expect(note.textValue("grandparent") == "Root")
      #expect(note.numberValue("tagCount") == 2)
      #expect(note.numberValue("weight") == 3.5)
      let modified = try #require(note.value(forKey: "modified") as? Date)
      #expect(modified >= before && modified <= Date().addingTimeInterval(0.01))
      #expect(!context.hasChanges)
    }
    try stack.work { context in
      let folder = try #require(try context.all("Folder", where: "name == \"Éclairs\"").first)
      #expect(Self.totals(folder) == [2, 5, 4, 1, 2.5])
      #expect(try context.count(for: request("Note", "tagCount == 2 AND weight > 3")) == 1)
    }
  }

  private func request(_ entity: String, _ format: String) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format)
    return request
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `a note that moves, changes or goes concerns both of its folders (50)`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let (one, other) = (
        context.new("Folder", ["name": "One"]), context.new("Folder", ["name": "Other"])
      )
      let note = context.new("Note", ["stars": 3, "folder": one])
      _ = context.new("Note", ["stars": 1, "folder": one])
      try context.save()
      note.setValue(other, forKey: "folder")
      try context.save()
      #expect(Self.totals(one) == [1, 1, 1, 1, 1])
      #expect(Self.totals(other) == [1, 3, 3, 3, 3])
      #expect(note.textValue("folderName") == "Other")
      note.setValue(5, forKey: "stars")
      try context.save()
      #expect(Self.totals(other) == [1, 5, 5, 5, 5])
      context.delete(note)
      try context.save()
      #expect(Self.totals(other) == [0, 0, nil, nil, 0])
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `objects that the save does not write are refreshed, and not changed (50)`(
    _ kind: StoreKind
  ) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let parent = context.new("Folder", ["name": "Parent"])
      let folder = context.new("Folder", ["name": "Old", "parent": parent])
      let note = context.new("Note", ["folder": folder])
      let tag = context.new("Tag", ["weight": 1])
      note.setValue(NSSet(object: tag), forKey: "tags")
      try context.save()
      #expect(note.textValue("folderName") == "Old")
      let version = note.record.pointee.snapshot?.version
      let listener = RefreshedObjects()
      context.listeners.add(listener)
      folder.setValue("Ñew", forKey: "name")
      parent.setValue("Above", forKey: "name")
      tag.setValue(7, forKey: "weight")
      try context.save()
      #expect(note.textValue("folderName") == "Ñew")
      #expect(note.textValue("searchFolder") == "new")
      #expect(note.textValue("grandparent") == "Above")
      #expect(note.numberValue("weight") == 7)
      #expect(!note.hasChanges && !context.hasChanges)
      #expect(note.record.pointee.snapshot?.version == version)
      context.processPendingChanges()
      #expect(listener.objects == [note])
      note.setValue("later", forKey: "title")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `another context sees new derived values after a refresh (50)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    let id = try stack.work { context in
      let folder = context.new("Folder", ["name": "Old"])
      let note = context.new("Note", ["folder": folder])
      try context.save()
      return note.objectID
    }
    let reader = stack.context()
    try reader.performAndWait {
      let note = reader.object(with: id)
      #expect(note.textValue("folderName") == "Old")
      try stack.work { context in
        try context.all("Folder").first?.setValue("New", forKey: "name")
        try context.save()
      }
      reader.refresh(note, mergeChanges: false)
      #expect(note.textValue("folderName") == "New")
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `what is set by hand is computed anew (50)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      let folder = context.new("Folder", ["name": "One", "noteCount": 7, "shout": "?"])
      try context.save()
      #expect(folder.numberValue("noteCount") == 0)
      #expect(folder.textValue("shout") == "ONE")
      folder.setValue(9, forKey: "noteCount")
      folder.setValue("?", forKey: "shout")
      try context.save()
      #expect(folder.numberValue("noteCount") == 0)
      #expect(folder.textValue("shout") == "ONE")
      folder.setValue(nil, forKey: "name")
      try context.save()
      #expect(folder.textValue("shout") == nil)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `a filter says which objects count (50)`(_ kind: StoreKind) throws {
    var good = AttributeSchema.derived("good", .integer64, from: "notes.@count")
    good.derivationFilterFormat = "stars > 3 AND folder.name == \"One\""
    let model = ModelSchema.model(
      .entity("Folder", [.text("name"), good], [.many("notes", "Note", back: "folder")]),
      .entity("Note", [.attribute("stars", .integer16)], [.one("folder", "Folder", back: "notes")])
    )
    let stack = try ModelStack(model, kind)
    try stack.work { context in
      let folder = context.new("Folder", ["name": "One"])
      let notes = [2, 4, 5].map { context.new("Note", ["stars": $0, "folder": folder]) }
      try context.save()
      #expect(folder.numberValue("good") == 2)
      notes[0].setValue(5, forKey: "stars")
      try context.save()
      #expect(folder.numberValue("good") == 3)
    }
  }

  @Test(arguments: StoreKind.onServersToo(.everyRequest, .derivedAttributes))
  func `a subentity's objects have the derived attributes of their superentity (50)`(
    _ kind: StoreKind
  ) throws {
    let model = ModelSchema.model(
      .entity(
        "Note",
        [.text("title"), .derived("search", .string, from: "canonical:(title)")],
        [.many("tags", "Tag", back: "notes")]
      ),
      .entity("Checklist", below: "Note", [.derived("tagCount", .integer64, from: "tags.@count")]),
      .entity("Tag", [.text("name")], [.many("notes", "Note", back: "tags")])
    )
    let stack = try ModelStack(model, kind)
    try stack.work { context in
      let list = context.new("Checklist", ["title": "Ä"])
      list.setValue(NSSet(object: context.new("Tag")), forKey: "tags")
      try context.save()
      #expect(list.textValue("search") == "a")
      #expect(list.numberValue("tagCount") == 1)
    }
  }

  @Test(arguments: [
    ("notes.@count + 1", "neither a key path"), ("nothing.name", "no stored property nothing"),
    ("notes.stars", "has many values"), ("max:(name)", "not to many"),
  ]) func `an expression that gives no value is refused with a sentence (50)`(
    expression: String,
    reason: String
  ) throws {
    let model = ModelSchema.model(
      .entity(
        "Folder",
        [.text("name"), .derived("bad", .integer64, from: expression)],
        [.many("notes", "Note", back: "folder")]
      ),
      .entity("Note", [.attribute("stars", .integer16)], [.one("folder", "Folder", back: "notes")])
    )
    for kind in StoreKind.onServersToo(.everyRequest, .derivedAttributes) {
      let error = #expect(throws: CocoaError.self) { try ModelStack(model, kind) }
      let problem = (error as NSError?)?.localizedFailureReason ?? ""
      #expect(problem.contains(reason) && problem.contains("Folder.bad"), "\(problem)")
    }
  }
}

/// The objects that a context has refreshed.
private final class RefreshedObjects: ContextListener {
  private(set) var objects: Set<NSManagedObject> = []

  func contextDidChange(_ changes: ContextChanges) { objects.formUnion(changes.refreshed) }

  func contextDidSave(_ changes: ContextChanges) {}

  func contextDidReset() {}
}
