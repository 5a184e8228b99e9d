import CoreDataModel
import Foundation
import Testing

@testable import CoreData

struct NSEntityDescriptionTests {
  let model = NotesInCode.model()

  @Test func `an entity that is in no model has a version hash`() throws {
    let entity = { (name: String?) in
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = [NotesInCode.attribute("title", .string)]
      return entity
    }
    let (alone, inModel) = (entity("Note"), entity("Note"))
    let model = NSManagedObjectModel()
    model.entities = [inModel]
    #expect(alone.versionHash == inModel.versionHash)
    #expect(alone.versionHash.count == 32)
    #expect(entity("Remark").versionHash != alone.versionHash)
    #expect(entity(nil).versionHash.count == 32)
    let list = NSEntityDescription()
    list.name = "Checklist"
    alone.subentities = [list]
    let before = list.versionHash
    alone.versionHashModifier = "2"
    #expect(list.versionHash != before, "the superentity is part of it")
  }

  @available(*, deprecated)
  @Test func `an attribute could not ask for its index`() throws {
    let model = NotesInCode.model()
    let note = try #require(model.entitiesByName["Note"])
    let title = try #require(note.propertiesByName["title"])
    let stars = try #require(note.propertiesByName["stars"])
    note.indexes = [
      NSFetchIndexDescription(
        name: "byStars",
        elements: [NSFetchIndexElementDescription(property: stars, collationType: .binary)]
      )
    ]
    #expect(!title.isIndexed && stars.isIndexed)
    title.isIndexed = true
    stars.isIndexed = true
    note.propertiesByName["folder"]?.isIndexed = true
    let copy = try #require(note.copy() as? NSEntityDescription)
    #expect(note.schema.indexes.map(\.name) == ["byStars", "title"])
    #expect(copy.schema.indexes.map(\.name) == ["byStars", "title"])
    stars.isIndexed = false
    #expect(note.schema.indexes.map(\.name) == ["title"])
  }

  @Test func `userInfo may be set when the model is in use`() throws {
    let model = NotesInCode.model()
    model.freeze()
    let note = try #require(model.entitiesByName["Note"])
    note.userInfo = ["list": "inbox"]
    #expect(note.userInfo?["list"] as? String == "inbox")
    for property in note.properties {
      property.userInfo = [property.name: 1]
      #expect(property.userInfo?[property.name] as? Int == 1)
      property.userInfo = nil
      #expect(property.userInfo == nil)
    }
    let copy = try #require(note.copy() as? NSEntityDescription)
    #expect(copy.userInfo?["list"] as? String == "inbox")
  }

  @Test func `a subentity has the properties of its superentity, first`() throws {
    let note = try #require(model.entitiesByName["Note"])
    #expect(note.properties.map(\.name) == ["created", "title", "stars", "folder"])
    #expect(note.propertiesByName.keys.sorted() == ["created", "folder", "stars", "title"])
    #expect(note.attributesByName.keys.sorted() == ["created", "stars", "title"])
    #expect(note.relationshipsByName.keys.sorted() == ["folder"])
    #expect(note.attributesByName["created"]?.entity.name == "Item")
    #expect(note.superentity?.subentitiesByName["Note"] === note)
  }

  @Test func `a property can be appended to an entity that inherits`() throws {
    let note = try #require(model.entitiesByName["Note"])
    note.properties.append(NotesInCode.attribute("body", .string))
    #expect(note.ownProperties.map(\.name) == ["title", "stars", "folder", "body"])
    #expect(note.superentity?.properties.map(\.name) == ["created"])
  }

  @Test func `an entity is a kind of its ancestors`() throws {
    let item = try #require(model.entitiesByName["Item"])
    let note = try #require(model.entitiesByName["Note"])
    let folder = try #require(model.entitiesByName["Folder"])
    #expect(note.isKindOf(entity: note))
    #expect(note.isKindOf(entity: item))
    #expect(!item.isKindOf(entity: note))
    #expect(!note.isKindOf(entity: folder))
  }

  @Test func `relationships are found by their destination`() throws {
    let note = try #require(model.entitiesByName["Note"])
    let folder = try #require(model.entitiesByName["Folder"])
    #expect(note.relationships(forDestination: folder).map(\.name) == ["folder"])
    #expect(note.relationships(forDestination: note).isEmpty)
  }

  @Test func `a new entity has the defaults of Apple's`() {
    let entity = NSEntityDescription()
    #expect(entity.name == nil)
    #expect(entity.managedObjectClassName == "NSManagedObject")
    #expect(!entity.isAbstract)
    #expect(entity.properties.isEmpty)
    #expect(entity.superentity == nil)
    let relationship = NSRelationshipDescription()
    #expect(relationship.isToMany)
    #expect(relationship.isOptional)
    #expect(relationship.deleteRule == .nullifyDeleteRule)
  }

  @Test func `the renaming identifier is the name until it is set`() {
    let entity = NSEntityDescription()
    entity.name = "Note"
    #expect(entity.renamingIdentifier == "Note")
    entity.renamingIdentifier = "Memo"
    #expect(entity.renamingIdentifier == "Memo")
    let title = NotesInCode.attribute("title", .string)
    #expect(title.renamingIdentifier == "title")
  }

  @Test func `copied entities find each other in the model that takes them`() throws {
    let copy = NSManagedObjectModel()
    copy.entities = model.entities.map(\.duplicate)
    let note = try #require(copy.entitiesByName["Note"])
    let folder = try #require(copy.entitiesByName["Folder"])
    #expect(note !== model.entitiesByName["Note"])
    #expect(note.superentity === copy.entitiesByName["Item"])
    #expect(note.relationshipsByName["folder"]?.destinationEntity === folder)
    let inverse = note.relationshipsByName["folder"]?.inverseRelationship
    #expect(inverse === folder.relationshipsByName["notes"])
    #expect(note.indexes.first?.elements.first?.property === note.attributesByName["title"])
  }

  @Test func `descendants come with the entity that is given`() {
    let child = NSEntityDescription()
    child.name = "Child"
    let parent = NSEntityDescription()
    parent.name = "Parent"
    parent.subentities = [child]
    let model = NSManagedObjectModel()
    model.entities = [parent]
    #expect(model.entities.map(\.nameOrPlaceholder) == ["Parent", "Child"])
    let grandchild = NSEntityDescription()
    grandchild.name = "Grandchild"
    child.subentities = [grandchild]
    #expect(grandchild.managedObjectModel === model)
    #expect(model.description(ofEntity: "Grandchild") === grandchild)
  }

  @Test func `an inheritance circle stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let one = NSEntityDescription()
      let other = NSEntityDescription()
      one.subentities = [other]
      other.subentities = [one]
    }
  }

  @Test func `a property of two entities stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let title = NotesInCode.attribute("title", .string)
      let note = NSEntityDescription()
      let folder = NSEntityDescription()
      note.properties = [title]
      folder.properties = [title]
    }
  }

  @Test func `a model that is let go lets go of everything`() {
    weak var model: NSManagedObjectModel?
    weak var note: NSEntityDescription?
    weak var folder: NSRelationshipDescription?
    do {
      let held = NotesInCode.model()
      let request = NSFetchRequest<any NSFetchRequestResult>()
      request.entity = held.entitiesByName["Note"]
      held.setFetchRequestTemplate(request, forName: "all")
      held.freeze()
      model = held
      note = held.entitiesByName["Note"]
      folder = note?.relationshipsByName["folder"]
    }
    #expect(model == nil)
    #expect(note == nil)
    #expect(folder == nil)
  }
}
