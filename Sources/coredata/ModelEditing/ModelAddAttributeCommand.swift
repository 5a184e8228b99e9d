import CoreDataModel
import Foundation

/// `coredata model add-attribute`.
struct ModelAddAttributeCommand: Command {
  static let words = ["model", "add-attribute"]
  static let summary = "add an attribute to an entity"
  static let help = """
    coredata model add-attribute MODEL ENTITY.NAME TYPE [--required] [--default VALUE] [--unique]
                                 [--transient] [--object] [--external] [--class NAME]
                                 [--renamed-from NAME]

    Adds an attribute to an entity of a model's current version.

      MODEL                a .xcdatamodeld or .xcdatamodel
      ENTITY.NAME          the attribute, such as Note.title
      TYPE                 String, Boolean, Date, UUID, URI, Binary, Decimal, Double, Float,
                           'Integer 16', 'Integer 32', 'Integer 64' or Transformable; int16, int32,
                           int64, bool, data and url are understood too
      --required           a save fails while it is nil; without it, it is optional
      --default VALUE      the value of new objects: text, a number, YES or NO; without it, numbers and
                           Booleans that are required begin with 0 or NO
      --unique             no two objects of the entity have the same value
      --transient          it is not saved
      --object             generated classes have an optional NSNumber instead of a Swift number
      --external           large data goes into files beside the store
      --class NAME         the class of a transformable attribute's values
      --renamed-from NAME  its name in the version before, for migration

    Once a version is changed, the stores that were made with it do not open with it any more: after a
    release, begin with coredata model add-version.

      coredata model add-attribute Notes.xcdatamodeld Note.title String
      coredata model add-attribute Notes.xcdatamodeld Note.stars int16 --required --default 3

    \(CoreDataCommand.exitStatuses)
    """

  private let model: String
  private let place: PropertyPlace
  private let attribute: AttributeSchema
  private let isUnique: Bool

  init(_ arguments: inout CommandArguments) throws {
    let isRequired = arguments.flag("--required")
    let value = try arguments.value(ifGiven: "--default")
    isUnique = arguments.flag("--unique")
    let isTransient = arguments.flag("--transient")
    let isObject = arguments.flag("--object")
    let isExternal = arguments.flag("--external")
    let className = try arguments.value(ifGiven: "--class")
    let oldName = try arguments.value(ifGiven: "--renamed-from")
    model = try arguments.operand("the path of a model")
    place = try PropertyPlace(try arguments.operand("the attribute, as Entity.name,"))
    let type = try AttributeType(typed: try arguments.operand("the type of the attribute"))
    try arguments.finish()
    if className != nil, type != .transformable {
      throw arguments.mistake("--class is for Transformable; \(type.word) has a class already")
    }
    if isExternal, ![.binaryData, .transformable].contains(type) {
      throw arguments.mistake("--external is for Binary; values of \(type.word) stay in the row")
    }
    if isUnique, isTransient {
      throw arguments.mistake("--unique and --transient exclude each other; give one of them")
    }
    var attribute = AttributeSchema(typed: place.property, type)
    attribute.isOptional = !isRequired
    attribute.isTransient = isTransient
    if isObject { attribute.usesScalarValueType = false }
    attribute.allowsExternalBinaryDataStorage = isExternal
    attribute.customClassName = className
    attribute.renamingIdentifier = oldName
    let text = value ?? (type.isNumber && isRequired ? type.zero : nil)
    attribute.defaultValue = try text.map { try SchemaValue(typed: $0, as: type) }
    self.attribute = attribute
  }

  func run() throws {
    var model = try EditedModel(at: self.model)
    let entity = try model.entity(place.entity)
    guard model.schema.property(place.property, of: entity.name) == nil else {
      throw Refusal("\(place.entity) already has a property '\(place.property)'")
    }
    model.change(entity.name) { entity in
      entity.attributes.append(attribute)
      if isUnique { entity.uniquenessConstraints.append([attribute.name]) }
    }
    try model.write()
  }
}

extension AttributeSchema {
  /// An attribute as it is added where nothing else is said of it.
  init(typed name: String, _ type: AttributeType) {
    self.init(name: name, type: type)
    isOptional = true
    usesScalarValueType = type.isNumber
    if type == .transformable { valueTransformerName = "NSSecureUnarchiveFromData" }
  }
}

extension AttributeType {
  /// A type as people write it.
  init(typed text: String) throws {
    let short = [
      "int16": "Integer 16", "int32": "Integer 32", "int64": "Integer 64", "int": "Integer 64",
      "bool": "Boolean", "data": "Binary", "binarydata": "Binary", "url": "URI", "text": "String",
    ]
    let word = text.lowercased().filter { !$0.isWhitespace }
    let types = Self.allCases.filter { ![.undefined, .objectID, .composite].contains($0) }
    let found = types.first { type in
      type.word.lowercased().filter { !$0.isWhitespace } == word || type.word == short[word]
    }
    guard let found else {
      let list = types.map(\.word)
      let question = Spelling.question(text, among: list)
      throw Refusal(
        "'\(text)' is no type of attributes\(question)\(question.isEmpty ? "; there" : " There") are "
          + list.joined(separator: ", ")
      )
    }
    self = found
  }

  fileprivate var isNumber: Bool {
    [.integer16, .integer32, .integer64, .double, .float, .boolean].contains(self)
  }

  fileprivate var zero: String { self == .boolean ? "NO" : "0" }
}

extension SchemaValue {
  /// A default as people write it.
  fileprivate init(typed text: String, as type: AttributeType) throws {
    let value: Self? =
      switch type {
      case .boolean: Self.boolean(text).map(SchemaValue.boolean)
      case .integer16: Int16(text).map { .integer(Int64($0)) }
      case .integer32: Int32(text).map { .integer(Int64($0)) }
      case .integer64: Int64(text).map(SchemaValue.integer)
      // A number that is too large would be an infinity, which nobody has written.
      case .double, .float:
        text.isNumber ? Double(text).flatMap { $0.isFinite ? .real($0) : nil } : nil
      case .decimal: Decimal(written: text).map(SchemaValue.decimal)
      case .string: .text(text)
      case .uuid: UUID(uuidString: text).map(SchemaValue.uuid)
      case .uri: .uri(text)
      case .undefined, .date, .binaryData, .transformable, .objectID, .composite: nil
      }
    guard let value else {
      throw Refusal("'\(text)' cannot be the default of an attribute of type \(type.word)")
    }
    self = value
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }
}
