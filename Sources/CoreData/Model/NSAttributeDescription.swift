import CoreDataModel
import Foundation

/// A description of an attribute of an entity: its type, its default value and how it is stored.
///
/// ```swift
/// let stars = NSAttributeDescription()
/// stars.name = "stars"
/// stars.type = .integer16
/// stars.defaultValue = 3
/// ```
///
/// To store an enumeration, declare a numeric attribute and a computed property in the class. Sort
/// descriptors and predicates then translate `\Note.state` to the name of the attribute:
///
/// ```swift
/// enum State: Int16 { case draft, review, done }
///
/// extension Note {
///   var state: State {
///     get { State(rawValue: stateNumber) ?? .draft }
///     set { stateNumber = newValue.rawValue }
///   }
/// }
/// ```
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// The type of the attribute's values, with the names of Apple's older type.
  ///
  /// The default is `.undefinedAttributeType`.
  public var attributeType = NSAttributeType.undefinedAttributeType {
    willSet { willChange() }
  }
  /// The name of the transformer that converts the values of a transformable attribute to data and
  /// back.
  ///
  /// If the value is `nil`, the values are stored as secure archives, as by ``NSSecureUnarchiveFromDataTransformer``.
  /// Besides the classes of property lists, they may be of classes of the program that support `NSSecureCoding`, and are
  /// not private, generic or within another type.
  public var valueTransformerName: String? {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether a store may keep large data in separate files.
  ///
  /// The default is `false`.
  ///
  /// A SQLite store does so with values of more than 100 KiB. The files are in
  /// `.Notes_SUPPORT/_EXTERNAL_DATA` beside `Notes.sqlite`. A file is written before the
  /// transaction that refers to it is committed, and deleted after the transaction that no longer
  /// does. Predicates can compare such an attribute only with `nil`.
  ///
  /// A file has at most 2,147,483,647 bytes. Saving larger data fails with 134030, and a larger file
  /// that was put there in another way reads as `nil`, with a warning. A store in a PostgreSQL database keeps all data
  /// in the rows.
  public var allowsExternalBinaryDataStorage = false {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether the persistent history keeps the attribute's value when
  /// its object is deleted.
  ///
  /// The default is `false`. If the value is `true`, ``NSPersistentHistoryChange/tombstone`` of the deletion contains
  /// the attribute's value.
  public var preservesValueInHistoryOnDeletion = false {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether CloudKit encrypts the attribute's values.
  ///
  /// The default is `false`.
  ///
  /// The value is part of the model but is otherwise ignored.
  public var allowsCloudEncryption = false {
    willSet { willChange() }
  }

  /// Whether generated classes use a number type; says nothing at run time.
  var usesScalarValueType = false
  private var ownDefault = AttributeDefault.none
  private var ownValueClassName: String?

  override func take(from other: NSPropertyDescription) {
    super.take(from: other)
    guard let other = other as? NSAttributeDescription else { return }
    attributeType = other.attributeType
    valueTransformerName = other.valueTransformerName
    allowsExternalBinaryDataStorage = other.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = other.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = other.allowsCloudEncryption
    usesScalarValueType = other.usesScalarValueType
    ownDefault = other.ownDefault
    ownValueClassName = other.ownValueClassName
  }

  override var kind: String { "attribute" }

  /// The schema of this attribute; subclasses add their own part.
  func makeSchema() -> AttributeSchema {
    var schema = AttributeSchema(name: name, type: attributeType.schemaType)
    schema.isOptional = isOptional
    schema.isTransient = isTransient
    schema.defaultValue = schemaDefault
    schema.validations = validationSchemas
    schema.usesScalarValueType = usesScalarValueType
    schema.customClassName = ownValueClassName
    schema.valueTransformerName = valueTransformerName
    schema.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    schema.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    schema.allowsCloudEncryption = allowsCloudEncryption
    schema.isIndexedBySpotlight = isIndexedBySpotlight
    schema.isStoredInTruthFile = isStoredInExternalRecord
    schema.userInfo = userInfo?.textEntries ?? [:]
    schema.versionHashModifier = versionHashModifier
    schema.renamingIdentifier = ownRenamingIdentifier
    return schema
  }

  /// Takes over what the schema says; subclasses add their own part.
  func take(from schema: AttributeSchema) {
    name = schema.name
    attributeType = NSAttributeType(schema.type)
    isOptional = schema.isOptional
    isTransient = schema.isTransient
    ownDefault = schema.defaultValue.map(AttributeDefault.value) ?? .none
    takeValidations(schema.validations)
    usesScalarValueType = schema.usesScalarValueType
    ownValueClassName = schema.customClassName
    valueTransformerName = schema.valueTransformerName
    allowsExternalBinaryDataStorage = schema.allowsExternalBinaryDataStorage
    preservesValueInHistoryOnDeletion = schema.preservesValueInHistoryOnDeletion
    allowsCloudEncryption = schema.allowsCloudEncryption
    isIndexedBySpotlight = schema.isIndexedBySpotlight
    isStoredInExternalRecord = schema.isStoredInTruthFile
    userInfo = schema.userInfo
    versionHashModifier = schema.versionHashModifier
    ownRenamingIdentifier = schema.renamingIdentifier
  }
}

// MARK: - Type and value

extension NSAttributeDescription {
  /// The type of the attribute's values, as in `attribute.type = .string`.
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }

  /// The value of the attribute in new objects.
  ///
  /// Numbers are returned as `NSNumber`s. The program stops if the value is not of the attribute's
  /// type: at once if the type is already set, otherwise when the model is first used.
  public var defaultValue: Any? {
    get { ownDefault.object(for: attributeType.schemaType) }
    set {
      willChange()
      ownDefault = newValue.map(AttributeDefault.object) ?? .none
      _ = schemaDefault
    }
  }

  /// The name of the class of the attribute's values, such as `NSString`.
  ///
  /// You can set it for transformable attributes; for others it follows from the type.
  public var attributeValueClassName: String? {
    get { ownValueClassName ?? attributeType.valueClassName }
    set {
      willChange()
      ownValueClassName = newValue
    }
  }

  /// The default as a model file can hold it; nil for a transformable attribute's object.
  private var schemaDefault: SchemaValue? {
    do {
      return try ownDefault.schemaValue(for: attributeType.schemaType)
    } catch {
      stop("\(error.value) cannot be the default of \(qualifiedName): \(error.expectation)")
    }
  }
}

extension NSAttributeType {
  fileprivate var valueClassName: String? {
    switch self {
    case .undefinedAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "NSNumber"
    case .doubleAttributeType, .floatAttributeType, .booleanAttributeType: "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .transformableAttributeType: nil
    case .objectIDAttributeType: "NSManagedObjectID"
    case .compositeAttributeType: "NSDictionary"
    }
  }
}

// MARK: - Schema

extension NSAttributeDescription {
  /// The description that fits the schema: plain, derived or composite.
  static func make(_ schema: AttributeSchema) -> NSAttributeDescription {
    let attribute =
      if schema.derivationExpression != nil {
        NSDerivedAttributeDescription()
      } else if schema.type == .composite {
        NSCompositeAttributeDescription()
      } else {
        NSAttributeDescription()
      }
    attribute.take(from: schema)
    return attribute
  }
}
