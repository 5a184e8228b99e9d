import CoreDataModel
import Foundation

/// An attribute of an entity: a value of a type, perhaps with a default.
///
/// ```swift
/// let stars = NSAttributeDescription()
/// stars.name = "stars"
/// stars.type = .integer16
/// stars.defaultValue = 3
/// ```
///
/// An enum is a number in the store and a computed property in the class; sort descriptors and
/// predicates understand `\Note.state` as the number's name:
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
  public var attributeType = NSAttributeType.undefinedAttributeType {
    willSet { willChange() }
  }
  /// The transformer between a transformable attribute's values and data.
  public var valueTransformerName: String? {
    willSet { willChange() }
  }
  /// Whether a store may put large data into a file of its own.
  ///
  /// A SQLite store does so with more than 100 KiB: in `.Notes_SUPPORT/_EXTERNAL_DATA`, beside
  /// `Notes.sqlite`. The file is on the disk before the row that names it, and goes after the commit
  /// that replaces it. Predicates cannot look into such an attribute; they can compare it with nil.
  public var allowsExternalBinaryDataStorage = false {
    willSet { willChange() }
  }
  public var preservesValueInHistoryOnDeletion = false {
    willSet { willChange() }
  }
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
  public var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }

  /// The value that a new object begins with.
  ///
  /// Numbers come back as `NSNumber`. A value that is not of the attribute's type stops the
  /// program: at once when the type is known, else when the model is first used.
  public var defaultValue: Any? {
    get { ownDefault.object(for: attributeType.schemaType) }
    set {
      willChange()
      ownDefault = newValue.map(AttributeDefault.object) ?? .none
      _ = schemaDefault
    }
  }

  /// The class of the values, such as `NSString`; for a transformable attribute what was set.
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
