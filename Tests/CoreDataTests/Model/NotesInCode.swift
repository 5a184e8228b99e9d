import CoreDataModel
import CoreDataPredicates
import Foundation

@testable import CoreData

/// Notes in folders with tags, built from description classes as programs do it.
enum NotesInCode {
  static func model() -> NSManagedObjectModel {
    let item = NSEntityDescription()
    item.name = "Item"
    item.isAbstract = true
    item.properties = [attribute("created", .date)]

    let title = attribute("title", .string)
    title.isOptional = false
    title.setValidationPredicates(
      [NSPredicate(format: "length >= 1")],
      withValidationWarnings: ["A note needs a title."]
    )
    let stars = attribute("stars", .integer16)
    stars.defaultValue = 3
    let folder = NSRelationshipDescription()
    folder.name = "folder"
    folder.maxCount = 1
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = "Note"
    note.properties = [title, stars, folder]
    note.uniquenessConstraints = [[title]]
    let byTitle = NSFetchIndexElementDescription(property: title, collationType: .binary)
    note.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [byTitle])]

    let name = attribute("name", .string)
    let notes = NSRelationshipDescription()
    notes.name = "notes"
    notes.isOrdered = true
    notes.deleteRule = .cascadeDeleteRule
    let folderEntity = NSEntityDescription()
    folderEntity.name = "Folder"
    folderEntity.properties = [name, notes]

    folder.destinationEntity = folderEntity
    folder.inverseRelationship = notes
    notes.destinationEntity = note
    notes.inverseRelationship = folder
    item.subentities = [note, folderEntity]

    let model = NSManagedObjectModel()
    model.entities = [item, note, folderEntity]
    model.setEntities([item, note], forConfigurationName: "Cloud")
    model.versionIdentifiers = ["1.0"]
    return model
  }

  static func attribute(
    _ name: String,
    _ type: NSAttributeDescription.AttributeType
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    return attribute
  }

  /// The same model as `model()`, as an XML file of Xcode's.
  static let source = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="1.0">
      <entity name="Folder" parentEntity="Item">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" \
    ordered="YES" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
      </entity>
      <entity name="Item" isAbstract="YES">
        <attribute name="created" optional="YES" attributeType="Date" \
    usesScalarValueType="NO"/>
      </entity>
      <entity name="Note" representedClassName="Note" parentEntity="Item">
        <attribute name="stars" optional="YES" attributeType="Integer 16" \
    defaultValueString="3" usesScalarValueType="NO"/>
        <attribute name="title" attributeType="String" minValueString="1"/>
        <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="ascending"/>
        </fetchIndex>
        <uniquenessConstraints>
          <uniquenessConstraint>
            <constraint value="title"/>
          </uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <configuration name="Cloud">
        <memberEntity name="Item"/>
        <memberEntity name="Note"/>
      </configuration>
    </model>
    """
}
