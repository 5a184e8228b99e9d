import CoreDataModel
import Foundation
import Testing

@testable import CoreDataModelChanges

/// Tests of the changes from one version of a model to the next.
struct ModelComparisonTests {
  private func changes(_ name: String = "Note", _ change: (inout EntitySchema) -> Void) -> [String]
  {
    comparison(name, change).changes.map { "\($0.sign.rawValue) \($0.sentence)" }
  }

  private func comparison(
    _ name: String = "Note",
    _ change: (inout EntitySchema) -> Void
  ) -> ModelComparison {
    ModelComparison(from: .notes, to: .notes.changing(name, change))
  }

  @Test func `a model is like itself`() {
    let comparison = ModelComparison(from: .notes, to: .notes)
    #expect(comparison.changes == [])
    #expect(comparison.removedEntityNames == [])
    #expect(!comparison.needsMigration)
    #expect(comparison.verdict == .notNeeded)
    #expect(comparison.entities.map(\.sourceName) == ["Folder", "Item", "Note"])
    let note = comparison.match(for: "Note")
    #expect(note?.properties.map(\.destination.name) == ["created", "folder", "stars", "title"])
    #expect(note?.properties.map(\.source) == note?.properties.map(\.destination))
    #expect(note?.property(named: "created")?.source?.entityName == "Item")
  }

  @Test func `an optional attribute comes in constant time (108)`() {
    let comparison = comparison {
      $0.attributes.append(AttributeSchema(name: "rating", type: .double))
    }
    #expect(
      comparison.changes.map(\.sentence) == ["Note: attribute rating added, Double, optional"]
    )
    #expect(comparison.verdict == .constantTime)
    #expect(comparison.match(for: "Note")?.property(named: "rating")?.source == nil)
  }

  @Test func `a required attribute needs a default (108)`() {
    var rating = AttributeSchema(name: "rating", type: .integer16)
    rating.isOptional = false
    let without = comparison("Item") { $0.attributes.append(rating) }
    #expect(
      without.changes.map(\.sentence) == ["Item: attribute rating added, Integer 16, required"]
    )
    #expect(
      without.verdict
        == .impossible(
          reason: "Item.rating is required and objects that are there have no value for it",
          remedy: "give it a default value or make it optional"
        )
    )
    rating.defaultValue = .integer(3)
    let with = comparison("Item") { $0.attributes.append(rating) }
    #expect(
      with.changes.map(\.sentence)
        == ["Item: attribute rating added, Integer 16, required, 3 by default"]
    )
    #expect(with.verdict == .rewritesRows)
  }

  @Test func `what is removed loses its values`() {
    let comparison = comparison { $0.attributes.removeAll { $0.name == "stars" } }
    #expect(comparison.changes.map(\.sentence) == ["Note: attribute stars removed"])
    #expect(comparison.changes.map(\.caution) == ["its values are lost"])
    #expect(comparison.match(for: "Note")?.removedProperties.map(\.name) == ["stars"])
    #expect(comparison.verdict == .rewritesRows)
  }

  @Test(arguments: [
    (false, true, "now optional", LightweightVerdict.constantTime),
    (true, false, "now required", .rewritesRows),
  ])
  func `optional and required change places when there is a default (108)`(
    before: Bool,
    after: Bool,
    text: String,
    verdict: LightweightVerdict
  ) {
    let models = [before, after].map { isOptional in
      ModelSchema.notes.changing("Note") {
        $0.attributes[0].isOptional = isOptional
        $0.attributes[0].defaultValue = .integer(0)
      }
    }
    let comparison = ModelComparison(from: models[0], to: models[1])
    #expect(comparison.changes.map(\.sentence) == ["Note.stars: \(text)"])
    #expect(comparison.verdict == verdict)
  }

  @Test func `an attribute becomes required only with a default (108)`() {
    let comparison = comparison { $0.attributes[1].isOptional = false }
    #expect(comparison.obstacles.map(\.sentence) == ["Note.title: now required"])
  }

  @Test func `types are not converted (108)`() {
    let comparison = comparison { $0.attributes[0].type = .integer32 }
    #expect(comparison.changes.map(\.sentence) == ["Note.stars: type Integer 16 → Integer 32"])
    #expect(
      comparison.verdict.description == """
        lightweight migration cannot do it: values of Note.stars are not converted from Integer 16 \
        to Integer 32; add an attribute of another name and fill it in a custom or staged migration
        """
    )
  }

  @Test func `what a store does not know needs no migration (107)`() {
    let comparison = comparison {
      $0.className = "Memo"
      $0.attributes[0].defaultValue = .integer(1)
      $0.attributes[1].validations = [
        ValidationSchema(predicateFormat: "length >= 1", warning: .code(1670))
      ]
      $0.relationships[0].deleteRule = .cascade
      $0.userInfo = ["colour": "red"]
      $0.indexes = [FetchIndexSchema(name: "byStars", elements: [.init(.property("stars"))])]
    }
    #expect(
      comparison.changes.map(\.sentence) == [
        "Note: index byStars added, stars",
        "Note: class Note → Memo",
        "Note: user info none → colour = red",
        "Note.folder: delete rule Nullify → Cascade",
        "Note.stars: default value none → 1",
        "Note.title: validation none → length >= 1",
      ]
    )
    #expect(comparison.changes.allSatisfy { !$0.entersVersionHash })
    #expect(comparison.verdict == .notNeeded)
  }

  @Test func `an order, a constraint and a modifier enter the hash (107)`() {
    let folder = comparison("Folder") { $0.relationships[0].isOrdered = true }
    #expect(folder.changes.map(\.sentence) == ["Folder.notes: now ordered"])
    #expect(folder.verdict == .rewritesRows)
    #expect(
      changes {
        $0.uniquenessConstraints = [["title", "stars"]]
        $0.versionHashModifier = "2"
      } == ["~ Note: hash modifier none → 2", "+ Note: constraint added, title + stars unique"]
    )
  }

  @Test func `to-one becomes to-many, and never the other way (108)`() {
    let many = ModelSchema.notes.changing("Note") { $0.relationships[0].maxCount = 0 }
    let forth = ModelComparison(from: .notes, to: many)
    #expect(forth.changes.map(\.sentence) == ["Note.folder: to-one → to-many"])
    #expect(forth.verdict == .rewritesRows)
    let back = ModelComparison(from: many, to: .notes)
    #expect(back.changes.map(\.sentence) == ["Note.folder: to-many → to-one"])
    #expect(back.verdict.isImpossible)
  }

  @Test func `a relationship goes to a superentity of its destination, and not elsewhere`() {
    let wider = comparison("Folder") {
      $0.relationships[0].destinationName = "Item"
      $0.relationships[0].inverseName = nil
    }
    #expect(
      wider.changes.map(\.sentence) == [
        "Folder.notes: destination Note → Item", "Folder.notes: inverse folder → none",
      ]
    )
    #expect(wider.verdict == .rewritesRows)
    let other = comparison("Folder") { $0.relationships[0].destinationName = "Folder" }
    #expect(other.obstacles.map(\.sentence) == ["Folder.notes: destination Note → Folder"])
  }

  @Test func `entities come and go`() {
    var schema = ModelSchema.notes
    schema.entities.append(EntitySchema(name: "Tag"))
    let comparison = ModelComparison(from: .notes, to: schema)
    #expect(comparison.changes.map(\.sentence) == ["Tag: added"])
    #expect(comparison.match(for: "Tag")?.sourceName == nil)
    #expect(comparison.verdict == .constantTime)
    let back = ModelComparison(from: schema, to: .notes)
    #expect(back.changes.map(\.sentence) == ["Tag: removed"])
    #expect(back.removedEntityNames == ["Tag"])
    #expect(back.changes.first?.caution == "its objects are deleted")
  }

  @Test func `elements of a composite follow the rules of attributes`() {
    var place = AttributeSchema(name: "place", type: .composite)
    place.elements = [AttributeSchema(name: "city", type: .string)]
    let old = ModelSchema.notes.changing("Note") { $0.attributes.append(place) }
    place.elements[0].type = .integer16
    place.elements.append(AttributeSchema(name: "street", type: .string))
    let new = ModelSchema.notes.changing("Note") { $0.attributes.append(place) }
    let comparison = ModelComparison(from: old, to: new)
    #expect(
      comparison.changes.map(\.sentence) == [
        "Note.place.city: type String → Integer 16",
        "Note.place: element street added, String, optional",
      ]
    )
    #expect(comparison.obstacles.count == 1)
  }

  @Test func `configurations, requests and identifiers are changes of the model`() {
    var schema = ModelSchema.notes
    schema.configurations = ["Cloud": ["Note", "Folder"]]
    schema.fetchRequestTemplates = [FetchRequestSchema(name: "All", entityName: "Note")]
    schema.versionIdentifiers = ["2"]
    let comparison = ModelComparison(from: .notes, to: schema)
    #expect(
      comparison.changes.map(\.sentence) == [
        "The model: version identifiers none → 2",
        "The model: configuration Cloud added, Folder, Note",
        "The model: fetch request All added",
      ]
    )
    #expect(comparison.verdict == .notNeeded)
  }
}

// MARK: - Renaming

extension ModelComparisonTests {
  /// A model of one note, whose attribute has a name and a renaming identifier.
  private func version(_ names: [(name: String, identifier: String?)]) -> ModelSchema {
    var note = EntitySchema(name: "Note")
    note.attributes = names.map { name, identifier in
      var attribute = AttributeSchema(name: name, type: .string)
      attribute.renamingIdentifier = identifier
      return attribute
    }
    return ModelSchema(entities: [note])
  }

  private func sources(from old: ModelSchema, to new: ModelSchema) -> [String: String] {
    let properties = ModelComparison(from: old, to: new).match(for: "Note")?.properties ?? []
    return Dictionary(
      uniqueKeysWithValues: properties.map { ($0.destination.name, $0.source?.name ?? "-") }
    )
  }

  @Test func `an entity that comes before others was said to leave their rows alone`() {
    var schema = ModelSchema.notes
    schema.entities.append(EntitySchema(name: "album"))
    let comparison = ModelComparison(from: .notes, to: schema)
    #expect(comparison.changes.map(\.sentence) == ["album: added"])
    #expect(
      comparison.renumberedEntityNames.sorted() == ModelSchema.notes.entityNamesByNumber.sorted()
    )
    #expect(comparison.verdict == .rewritesRows)
  }

  @Test func `a renaming identifier is one name for all versions (108)`() {
    let versions = [
      version([("name", nil)]), version([("title", "name")]), version([("heading", "name")]),
    ]
    let names = ["name", "title", "heading"]
    for (from, old) in versions.enumerated() {
      for (to, new) in versions.enumerated() {
        #expect(sources(from: old, to: new) == [names[to]: names[from]])
      }
    }
    let comparison = ModelComparison(from: versions[0], to: versions[2])
    #expect(comparison.changes.first?.sentence == "Note.heading: renamed from name")
    #expect(comparison.verdict == .constantTime)
  }

  @Test func `names that change places are told apart (108)`() {
    let old = version([("a", nil), ("b", nil)])
    let new = version([("a", "b"), ("b", "a")])
    #expect(sources(from: old, to: new) == ["a": "b", "b": "a"])
    #expect(sources(from: new, to: old) == ["a": "b", "b": "a"])
    #expect(sources(from: new, to: new) == ["a": "a", "b": "b"])
  }

  @Test func `a new property may take the name of a renamed one`() {
    let old = version([("name", nil)])
    let new = version([("title", "name"), ("name", nil)])
    #expect(sources(from: old, to: new) == ["title": "name", "name": "-"])
    #expect(sources(from: new, to: new) == ["title": "title", "name": "name"])
    #expect(sources(from: new, to: old) == ["name": "title"])
  }

  @Test func `an identifier that is gone does not part what has the same name`() {
    let old = version([("title", "name")])
    #expect(sources(from: old, to: version([("title", nil)])) == ["title": "title"])
    #expect(
      sources(from: old, to: version([("name", nil), ("title", nil)]))
        == ["name": "-", "title": "title"]
    )
  }

  @Test func `a renamed entity takes its relationships and subentities along`() {
    let new = ModelSchema(
      entities: ModelSchema.notes.entities.map { entity in
        var entity = entity
        if entity.name == "Item" {
          entity.name = "Thing"
          entity.renamingIdentifier = "Item"
        }
        if entity.superentityName == "Item" { entity.superentityName = "Thing" }
        if entity.name == "Note" {
          entity.name = "Memo"
          entity.renamingIdentifier = "Note"
          entity.relationships[0].name = "drawer"
          entity.relationships[0].renamingIdentifier = "folder"
        }
        if entity.name == "Folder" {
          entity.relationships[0].destinationName = "Memo"
          entity.relationships[0].inverseName = "drawer"
        }
        return entity
      }
    )
    let comparison = ModelComparison(from: .notes, to: new)
    #expect(
      comparison.changes.filter(\.entersVersionHash).map(\.sentence) == [
        "Memo: renamed from Note", "Memo.drawer: renamed from folder", "Thing: renamed from Item",
      ]
    )
    #expect(comparison.verdict == .constantTime)
    #expect(comparison.removedEntityNames == [])
  }
}

// MARK: - Hierarchies

extension ModelComparisonTests {
  private func model(_ entities: [(String, String?, [String])]) -> ModelSchema {
    ModelSchema(
      entities: entities.map { name, superentity, attributes in
        var entity = EntitySchema(name: name)
        entity.superentityName = superentity
        entity.attributes = attributes.map { AttributeSchema(name: $0, type: .string) }
        return entity
      }
    )
  }

  @Test func `properties move up and down with their values (108)`() {
    let low = model([("Item", nil, []), ("List", "Item", []), ("Note", "Item", ["title"])])
    let high = model([("Item", nil, ["title"]), ("List", "Item", []), ("Note", "Item", [])])
    let up = ModelComparison(from: low, to: high)
    #expect(
      up.changes.map(\.sentence) == [
        "Item: attribute title added, String, optional", "Item.title: moved here from Note",
      ]
    )
    #expect(up.match(for: "Note")?.property(named: "title")?.source?.entityName == "Note")
    #expect(up.match(for: "List")?.property(named: "title")?.source == nil)
    #expect(up.verdict == .constantTime)
    let down = ModelComparison(from: high, to: low)
    #expect(
      down.changes.map(\.sentence) == [
        "Item: attribute title removed", "Note.title: moved here from Item",
      ]
    )
  }

  @Test func `a new superentity above one entity is possible (108)`() {
    let comparison = ModelComparison(
      from: model([("Note", nil, ["title"])]),
      to: model([("Item", nil, ["title"]), ("Note", "Item", [])])
    )
    #expect(
      comparison.changes.map(\.sentence) == [
        "Item: added", "Note: now a subentity of Item", "Item.title: moved here from Note",
      ]
    )
    #expect(comparison.verdict == .rewritesRows)
  }

  @Test func `two hierarchies do not become one (108)`() {
    let comparison = ModelComparison(
      from: model([("List", nil, []), ("Note", nil, ["title"])]),
      to: model([("Item", nil, []), ("List", "Item", []), ("Note", "Item", ["title"])])
    )
    #expect(
      comparison.obstacles.map(\.sentence) == [
        "List: now a subentity of Item", "Note: now a subentity of Item",
      ]
    )
    #expect(
      comparison.obstacles.first?.verdict
        == .impossible(
          reason: "List and Note get the common superentity Item, and had none in the source",
          remedy: "keep their hierarchies apart, or copy the objects with a mapping model"
        )
    )
  }

  @Test func `an entity leaves its hierarchy and loses what it inherited`() {
    let comparison = ModelComparison(
      from: model([("Item", nil, ["created"]), ("Note", "Item", ["title"])]),
      to: model([("Item", nil, ["created"]), ("Note", nil, ["title"])])
    )
    #expect(
      comparison.changes.map(\.sentence) == [
        "Note: no longer a subentity of Item", "Note: attribute created removed",
      ]
    )
    #expect(comparison.verdict == .rewritesRows)
    let back = ModelComparison(
      from: model([("Item", nil, ["name"]), ("Note", nil, ["name"])]),
      to: model([("Item", nil, ["name"]), ("Note", "Item", [])])
    )
    #expect(back.changes.map(\.sentence).contains("Note.name: now inherited from Item"))
  }

  @Test func `entities in a circle are compared all the same`() {
    let circle = model([("A", "B", ["x"]), ("B", "A", ["y"])])
    #expect(ModelComparison(from: circle, to: circle).changes == [])
    #expect(!ModelComparison(from: .notes, to: circle).changes.isEmpty)
  }
}

@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealModelComparisonTests {
  @Test(arguments: Fixtures.sources)
  func `a changed hash always has its changes, and none comes without (107)`(name: String) throws {
    let versions = try Fixtures.source(name).versions
    for old in versions {
      for new in versions {
        let comparison = ModelComparison(from: old.schema, to: new.schema)
        #expect(
          comparison.needsMigration == comparison.changes.contains(where: \.entersVersionHash),
          "\(old.name) → \(new.name): \(comparison.changes.map(\.sentence))"
        )
      }
    }
  }

  @Test func `Moody's fifth version to its sixth`() throws {
    let versions = try Fixtures.source("Moody").versions
    let old = try #require(versions.first { $0.name == "Moody 5" }).schema
    let new = try #require(versions.first { $0.name == "Moody 6" }).schema
    let comparison = ModelComparison(from: old, to: new)
    #expect(
      comparison.changes.map { "\($0.sentence): \($0.verdict)" } == [
        "The model: version identifiers 5 → 6: needs no migration",
        "Continent: added: lightweight migration does it in constant time",
        "Country: relationship continent added, to-one Continent, optional: lightweight migration does "
          + "it in constant time",
        "Country: attribute isoContinent removed: lightweight migration does it and goes through all "
          + "rows",
      ]
    )
  }
}
