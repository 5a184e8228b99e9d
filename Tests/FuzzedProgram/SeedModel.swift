import CoreDataModel
import Foundation

/// A model with something of everything, as Xcode keeps it.
enum SeedModel {
  static let xml = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="1">
      <composite name="Place"><attribute name="lat" optional="YES" attributeType="Double"/>\
    <attribute name="name" optional="YES" attributeType="String"/></composite>
      <entity name="Item" isAbstract="YES"><attribute name="created" optional="YES" \
    attributeType="Date" usesScalarValueType="NO"/></entity>
      <entity name="Note" parentEntity="Item">
        <attribute name="title" optional="YES" attributeType="String" spotlightIndexingEnabled="YES" \
    minValueString="1" maxValueString="200" regularExpressionString="[^x]*"/>
        <attribute name="stars" attributeType="Integer 16" defaultValueString="3" \
    usesScalarValueType="YES" minValueString="0" maxValueString="5"/>
        <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="1.50"/>
        <attribute name="weight" optional="YES" attributeType="Double" defaultValueString="0.5"/>
        <attribute name="size" optional="YES" attributeType="Integer 64"/>
        <attribute name="image" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
        <attribute name="keywords" optional="YES" attributeType="Transformable"/>
        <attribute name="identifier" optional="YES" attributeType="UUID"/>
        <attribute name="link" optional="YES" attributeType="URI"/>
        <attribute name="done" optional="YES" attributeType="Boolean" preserveAfterDeletion="YES"/>
        <attribute name="folderName" optional="YES" attributeType="String" derived="YES" \
    derivationExpression="folder.name"/>
        <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
        <relationship name="tags" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
        <fetchedProperty name="similar" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" \
    entity="Note" predicateString="title == $FETCH_SOURCE.title"/></fetchedProperty>
        <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" order="ascending"/>\
    </fetchIndex>
        <userInfo><entry key="colour" value="red"/></userInfo>
      </entity>
      <entity name="Folder">
        <attribute name="name" attributeType="String" defaultValueString="New"/>
        <attribute name="noteCount" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="notes.@count"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
        <relationship name="pinned" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="pinnedIn" inverseEntity="Tag"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>\
    </uniquenessConstraint></uniquenessConstraints>
      </entity>
      <entity name="Tag">
        <attribute name="label" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
        <relationship name="pinnedIn" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Folder" inverseName="pinned" inverseEntity="Folder"/>
      </entity>
      <fetchRequest name="Recent" entity="Note" predicateString="created &gt; $SINCE" fetchLimit="5"/>
      <configuration name="Local"><memberEntity name="Note"/></configuration>
      <elements><element name="Note" positionX="0" positionY="0" width="128" height="100"/></elements>
    </model>
    """

  static let schema: ModelSchema = {
    var reader = SchemaReader()
    let read = reader.schema(from: Data(xml.utf8))
    let errors = reader.problems.filter { $0.severity == .error }
    precondition(errors.isEmpty, "\(errors)")
    return read
  }()

  /// The same without what an XML or binary store cannot keep.
  static let plainSchema: ModelSchema = {
    var plain = schema
    for entity in plain.entities.indices {
      plain.entities[entity].attributes.removeAll {
        $0.type == .composite || $0.derivationExpression != nil
      }
    }
    return plain
  }()
}
