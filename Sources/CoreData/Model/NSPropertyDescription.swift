import CoreDataModel
public import Foundation

/// A description of a property of an entity: an attribute, a relationship or a fetched property.
///
/// ```swift
/// let title = NSAttributeDescription()
/// title.name = "title"
/// title.type = .string
/// title.isOptional = false
/// note.properties = [title]
/// ```
///
/// Safety: frozen when a coordinator takes the model; every setter checks it.
public class NSPropertyDescription: NSObject, NSCopying, FrozenWithModel, @unchecked Sendable {
  /// The name of the property, which must be unique in its entity.
  public var name = "" {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether an object can be saved without a value.
  ///
  /// The default is `true`.
  public var isOptional = true {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether the value is kept in memory only and not saved.
  ///
  /// The default is `false`.
  public var isTransient = false {
    willSet { willChange() }
  }
  /// Values that the author of the model keeps with the property.
  ///
  /// You can set this property at any time, also when the model is in use.
  public var userInfo: [AnyHashable: Any]? {
    get { ownUserInfo.entries }
    set { ownUserInfo.entries = newValue }
  }
  /// A text that is included in the version hash.
  ///
  /// Set it to mark a change that would not change the hash otherwise.
  public var versionHashModifier: String? {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether the property is marked "Index in Spotlight" in the
  /// model.
  ///
  /// The default is `false`.
  ///
  /// An attribute of type String with this mark is part of the word index of a SQLite or PostgreSQL
  /// store that is opened with `CoreDataTextSearchOption`.
  public var isIndexedBySpotlight = false {
    willSet { willChange() }
  }
  /// A Boolean value that indicates whether the property is stored in an external record.
  ///
  /// The default is `false`.
  ///
  /// The value is part of the model but is otherwise ignored.
  public var isStoredInExternalRecord = false {
    willSet { willChange() }
  }

  /// Whether the entity gets an index of this property alone, besides those that it lists.
  var wantsIndex = false

  /// The entity that declares this property.
  weak var declaringEntity: NSEntityDescription?
  private(set) var isFrozen = false
  private let ownUserInfo = UserInfo()
  private(set) var validations: [Validation] = []
  /// The renaming identifier that was set, without the fallback to the name.
  var ownRenamingIdentifier: String?

  public required override init() {
    super.init()
  }

  public override var description: String { "\(kind) \(qualifiedName)" }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    copy.take(from: self)
    return copy
  }

  /// Takes over everything but the entity; subclasses add their own part.
  func take(from other: NSPropertyDescription) {
    name = other.name
    isOptional = other.isOptional
    isTransient = other.isTransient
    userInfo = other.userInfo
    versionHashModifier = other.versionHashModifier
    isIndexedBySpotlight = other.isIndexedBySpotlight
    isStoredInExternalRecord = other.isStoredInExternalRecord
    wantsIndex = other.wantsIndex
    validations = other.validations
    ownRenamingIdentifier = other.ownRenamingIdentifier
  }

  /// Makes the property unchangeable; subclasses add their own part.
  func freeze() {
    validations = validations.map {
      Validation(predicate: $0.predicate.parsed, warning: $0.warning)
    }
    isFrozen = true
  }

  /// The word for this kind of property in sentences.
  var kind: String { "property" }
}

// MARK: - Its place

extension NSPropertyDescription {
  /// The entity that declares this property.
  ///
  /// The program stops if the property does not belong to an entity.
  public var entity: NSEntityDescription {
    guard let declaringEntity else {
      stop("\(title) belongs to no entity; add it to an entity's properties first")
    }
    return declaringEntity
  }

  /// A Boolean value that indicates whether stores keep an index of this property.
  ///
  /// It is `true` if the entity has an index of this property alone. Setting it to `true` adds such an index to the
  /// model when it is used; setting it to `false` removes it. Only attributes get an index: databases
  /// have indexes of to-one relationships anyway.
  @available(*, deprecated, message: "Use the indexes of the entity")
  public var isIndexed: Bool {
    get { wantsIndex || declaringEntity?.indexes.contains { $0.isOnly(of: name) } ?? false }
    set {
      willChange()
      wantsIndex = newValue
      if !newValue { declaringEntity?.indexes.removeAll { $0.isOnly(of: name) } }
    }
  }

  /// The name of the property in the previous version of the model.
  ///
  /// The default is its name.
  ///
  /// Migrations use it to recognize a renamed property.
  public var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set {
      willChange()
      ownRenamingIdentifier = newValue
    }
  }

  /// The entity's and its own name, as in `Note.title`.
  package var qualifiedName: String {
    let own = name.isEmpty ? "(no name)" : name
    return declaringEntity.map { "\($0.nameOrPlaceholder).\(own)" } ?? own
  }

  var title: String { "the \(kind) \(qualifiedName)" }
}

// MARK: - Validation

extension NSPropertyDescription {
  /// A condition on the value, and what to say when it fails.
  struct Validation {
    let predicate: Spelled<NSPredicate>
    let warning: ValidationSchema.Warning
  }

  /// The conditions that a value must meet.
  ///
  /// In the predicates, `SELF` is the value.
  public var validationPredicates: [NSPredicate] { validations.map(\.predicate.predicate) }

  /// The message or Core Data error code for each validation predicate that fails.
  public var validationWarnings: [Any] {
    validations.map { validation in
      switch validation.warning {
      case .code(let code): NSNumber(value: code)
      case .message(let message): message
      }
    }
  }

  /// Sets the conditions that a value must meet.
  ///
  /// A value of `nil` meets all of them. For a to-many relationship, `SELF` is the set of its objects. The set is validated
  /// only if the object is new or the relationship has changed. Model files, and the copy of the model in a store's file,
  /// keep only conditions of attributes that can be written as text: none with a block.
  ///
  /// - Parameters:
  ///   - validationPredicates: The conditions, in which `SELF` is the value.
  ///   - validationWarnings: A message for each condition.
  public func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?,
    withValidationWarnings validationWarnings: [String]?
  ) {
    willChange()
    let predicates = validationPredicates ?? []
    let warnings = validationWarnings ?? []
    guard predicates.count == warnings.count else {
      stop(
        "\(title) got \(predicates.count) validation predicates and \(warnings.count) warnings; "
          + "give one warning for each predicate"
      )
    }
    validations = zip(predicates, warnings).map { predicate, warning in
      Validation(predicate: .value(predicate), warning: .message(warning))
    }
  }
}

// MARK: - Schema

extension NSPropertyDescription {
  func takeValidations(_ schemas: [ValidationSchema]) {
    validations = schemas.map {
      Validation(predicate: .text($0.predicateFormat), warning: $0.warning)
    }
  }

  /// The conditions that a model file can hold.
  var validationSchemas: [ValidationSchema] {
    validations.filter(\.predicate.isReadable).map {
      ValidationSchema(predicateFormat: $0.predicate.format, warning: $0.warning)
    }
  }

  /// The conditions that no model file can hold.
  var codedValidations: [Validation] { validations.filter { !$0.predicate.isReadable } }
}

extension [AnyHashable: Any] {
  /// The part that a model file can hold.
  var textEntries: [String: String] {
    var entries: [String: String] = [:]
    for (key, value) in self {
      if let key = key as? String, let value = value as? String { entries[key] = value }
    }
    return entries
  }
}
