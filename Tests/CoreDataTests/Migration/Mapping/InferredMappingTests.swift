import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataModelChanges

/// Mapping models that follow from two models.
struct InferredMappingTests {
  @Test func `an inferred mapping model in words (108)`() throws {
    #expect(
      try TwoVersions.inferred().schema.description == #"""
        IEM_Add_Colour: add, nothing → Colour
          name = (as made)

        IEM_Transform_Memo: transform, Note → Memo
          source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Note", \#
        "TRUEPREDICATE"), $manager.sourceContext, NO)
          heading = $source.title
          origin = (as made)
          scan = $source.scan
          stars = TERNARY($source.stars == nil, 3, $source.stars)
          shelf = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \#
        "folder", $source.folder)
          tags = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \#
        "tags", $source.tags)

        IEM_Transform_Shelf: transform, Folder → Shelf
          source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Folder", \#
        "TRUEPREDICATE"), $manager.sourceContext, NO)
          name = $source.name
          memos = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \#
        "notes", $source.notes)

        IEM_Transform_Tag: transform, Tag → Tag
          source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Tag", \#
        "TRUEPREDICATE"), $manager.sourceContext, NO)
          label = $source.label
          memos = FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \#
        "notes", $source.notes)

        IEM_Remove_Bin: remove, Bin → nothing
          source FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Bin", \#
        "TRUEPREDICATE"), $manager.sourceContext, NO)
        """#
    )
  }

  @Test func `an inferred mapping model did not list the properties that it keeps`() throws {
    let mapping = try #require(TwoVersions.inferred().entityMappingsByName["IEM_Transform_Memo"])
    let names = { (key: String) in mapping.userInfo?[key] as? Set<String> }
    #expect(names("mappedProperties") == ["heading", "scan", "shelf", "stars", "tags"])
    #expect(names("addedProperties") == ["origin"])
    #expect(names("removedProperties") == [])
    #expect(try TwoVersions.inferred().entityMappingsByName["IEM_Remove_Bin"]?.userInfo == nil)
  }

  @Test func `the same model is copied (108)`() throws {
    let model = TwoVersions.model(TwoVersions.old)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: model,
      destinationModel: model
    )
    #expect(mapping.mappings.allSatisfy { $0.mappingType == .copyEntityMappingType })
    #expect(
      Set(mapping.entityMappingsByName.keys) == [
        "IEM_Copy_Bin", "IEM_Copy_Folder", "IEM_Copy_Note", "IEM_Copy_Tag",
      ]
    )
  }

  @Test func `what cannot be inferred is told with every reason (108)`() throws {
    let old = TwoVersions.plain(
      .model(.entity("Note", [.text("stars"), .text("title")], [.many("links", "Note")]))
    )
    var required = AttributeSchema.text("title")
    required.isOptional = false
    let new = TwoVersions.plain(
      .model(
        .entity("Note", [.attribute("stars", .integer16), required], [.one("links", "Note")])
      )
    )
    let error = #expect(throws: NSError.self) {
      try NSMappingModel.inferredMappingModel(
        forSourceModel: TwoVersions.model(old),
        destinationModel: TwoVersions.model(new)
      )
    }
    #expect(error?.code == NSInferredMappingModelError)
    let reason = try #require(error?.localizedFailureReason)
    for place in ["Note.stars", "Note.title", "Note.links"] { #expect(reason.contains(place)) }
    #expect(error?.localizedRecoverySuggestion?.contains("Give it a default value.") == true)
    #expect(error?.userInfo["reason"] is String)
  }

  @Test func `elements of a composite keep their values under new names (108)`() throws {
    let old = TwoVersions.plain(
      .model(
        .entity(
          "Note",
          [
            composite(
              "place",
              [
                .text("town"),
                composite("at", [.attribute("x", .double), .attribute("y", .double)]),
              ]
            )
          ]
        )
      )
    )
    let new = TwoVersions.plain(
      .model(
        .entity(
          "Note",
          [
            composite(
              "place",
              [
                TwoVersions.renamed(.text("city"), "town"),
                TwoVersions.renamed(
                  composite("position", [.attribute("x", .double), .attribute("z", .double)]),
                  "at"
                ),
              ]
            )
          ]
        )
      )
    )
    let file = TestSupport.TemporaryFolder.file("Notes.store")
    let store = try VersionStore(old, at: file)
    try store.work { context throws in
      let place: [String: Any] = ["town": "Ghent", "at": ["x": 1.5, "y": 2.5]]
      _ = TwoVersions.make("Note", "place", place, in: context)
      try context.save()
    }
    try store.close()
    let (from, to) = (TwoVersions.model(old), TwoVersions.model(new))
    let destination = TestSupport.TemporaryFolder.file("New.store")
    try NSMigrationManager(sourceModel: from, destinationModel: to).migrateStore(
      from: file,
      type: .sqlite,
      mapping: .inferredMappingModel(forSourceModel: from, destinationModel: to),
      to: destination,
      type: .sqlite
    )
    try VersionStore(new, at: destination).work { context throws in
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      let place = try #require(notes.first?.value(forKey: "place") as? [String: Any])
      #expect(place["city"] as? String == "Ghent")
      #expect((place["position"] as? [String: Any])?["x"] as? Double == 1.5)
      #expect((place["position"] as? [String: Any])?.count == 1)
    }
  }

  private func composite(_ name: String, _ elements: [AttributeSchema]) -> AttributeSchema {
    var attribute = AttributeSchema(name: name, type: .composite)
    attribute.elements = elements
    return attribute
  }

  @Test func `an entity that is abstract now has no objects any more (108)`() throws {
    let old = TwoVersions.plain(.model(.entity("Note", [.text("title")])))
    let new = TwoVersions.plain(
      .model(
        .entity("Note", [.text("title")]).with { $0.isAbstract = true },
        .entity("Memo", below: "Note")
      )
    )
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: TwoVersions.model(old),
      destinationModel: TwoVersions.model(new)
    )
    #expect(mapping.mappings.map(\.name) == ["IEM_Add_Memo", "IEM_Remove_Note"])
  }
}
