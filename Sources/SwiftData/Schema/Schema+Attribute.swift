public import CoreData
import Foundation

extension Schema {
  /// A description of an attribute, and the arguments of `@Attribute`.
  ///
  /// Safety: never changed after its schema was created.
  public class Attribute: SchemaProperty, @unchecked Sendable {
    /// The options of the attribute.
    public let options: [Option]
    /// The name of the property; empty in the arguments of `@Attribute`.
    public let name: String
    /// The text that is part of the version hash.
    public let hashModifier: String?
    /// The initial value of the declaration.
    public let defaultValue: Any?
    /// The type of the property; `Never` if a schema that was read from a file names a type that the program does not have.
    public var valueType: Any.Type { type.type }
    let type: NamedType
    /// Whether the type of the property is optional.
    public let isOptional: Bool
    /// How values are stored; `nil` in the arguments of `@Attribute`.
    let storage: AttributeStorage?
    let formerName: String?

    /// Creates the arguments of `@Attribute`.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - originalName: The name that the property had in the last version of the schema.
    ///   - hashModifier: A text that is part of the version hash, so that the model counts as changed.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.options = options
      name = ""
      self.hashModifier = hashModifier
      defaultValue = nil
      type = NamedType(Never.self)
      isOptional = false
      storage = nil
      formerName = originalName
    }

    init(
      name: String,
      valueType: Any.Type,
      form: ValueForm,
      defaultValue: Any?,
      arguments: Attribute?
    ) {
      options = arguments?.options ?? []
      self.name = name
      hashModifier = arguments?.hashModifier
      self.defaultValue = defaultValue
      type = NamedType(valueType)
      isOptional = valueType is any AnyOptionalType.Type
      storage = AttributeStorage(form)
      formerName = arguments?.formerName
    }

    init(_ coded: CodedAttribute) {
      options = coded.options
      name = coded.name
      hashModifier = coded.hashModifier
      defaultValue = coded.defaultValue
      type = coded.type
      isOptional = coded.isOptional
      storage = coded.storage
      formerName = coded.originalName
    }

    /// Reads an attribute that ``encode(to:)`` has written.
    ///
    /// - Parameter decoder: The file.
    /// - Throws: `DecodingError` if the file describes no attribute.
    public required convenience init(from decoder: any Decoder) throws {
      self.init(try CodedAttribute(from: decoder))
    }

    /// Writes the attribute, with the name of its type.
    ///
    /// - Parameter encoder: The file.
    /// - Throws: The error of a default value that cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
      try CodedAttribute(self).encode(to: encoder)
    }

    /// The name that the property had in the last version of the schema.
    public var originalName: String { formerName ?? name }
    public var isAttribute: Bool { true }
    public var isRelationship: Bool { false }
    /// Whether the attribute is ephemeral.
    public var isTransient: Bool { options.contains(.ephemeral) }
    public var isUnique: Bool { options.contains(.unique) }
    /// Whether a transformer converts the values.
    public var isTransformable: Bool { transformerName != nil }
    /// The name of the transformer that converts the values.
    var transformerName: String? { options.lazy.compactMap(\.transformerName).first }
  }

  /// A description of an attribute that consists of elements: a structure or an enumeration.
  ///
  /// Safety: never changed after its schema was created.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {
    /// The elements, in the order of their declaration.
    public let properties: [Attribute]

    init(
      name: String,
      valueType: Any.Type,
      form: ValueForm,
      defaultValue: Any?,
      arguments: Attribute?,
      properties: [Attribute]
    ) {
      self.properties = properties
      super.init(
        name: name,
        valueType: valueType,
        form: form,
        defaultValue: defaultValue,
        arguments: arguments
      )
    }

    override init(_ coded: CodedAttribute) {
      properties = (coded.elements ?? []).map(\.attribute)
      super.init(coded)
    }

    /// Reads an attribute that ``encode(to:)`` has written.
    ///
    /// - Parameter decoder: The file.
    /// - Throws: `DecodingError` if the file describes no attribute.
    public required convenience init(from decoder: any Decoder) throws {
      self.init(try CodedAttribute(from: decoder))
    }
  }
}

extension Schema.Attribute: Codable {}

extension Schema.Attribute: Hashable {
  public static func == (one: Schema.Attribute, other: Schema.Attribute) -> Bool {
    one.name == other.name && one.type == other.type && one.options == other.options
      && one.formerName == other.formerName && one.hashModifier == other.hashModifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(options)
  }
}

extension Schema.Attribute: CustomDebugStringConvertible {
  /// The name of the attribute, its type and its options.
  public var debugDescription: String {
    let options = options.map { " " + $0.debugDescription }.joined()
    return "\(name): \(type.name)\(options)"
  }
}

// MARK: - Options

extension Schema.Attribute {
  /// An option of an attribute, as in `@Attribute(.unique)`.
  public struct Option: Hashable, Codable, Sendable, CustomDebugStringConvertible {
    private let name: String
    /// The name of the transformer, if that is the option.
    let transformerName: String?

    private init(_ name: String, transformerName: String? = nil) {
      self.name = name
      self.transformerName = transformerName
    }

    private enum CodingKeys: String, CodingKey {
      case name, transformerName
    }

    /// Reads an option.
    ///
    /// - Parameter decoder: The file.
    /// - Throws: `DecodingError` for an option that does not exist.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      transformerName = try container.decodeIfPresent(String.self, forKey: .transformerName)
      let known: [Option] = [
        .unique, .externalStorage, .ephemeral, .spotlight, .preserveValueOnDeletion, .codable,
        .allowsCloudEncryption,
      ]
      let isKnown =
        transformerName == nil ? known.map(\.name).contains(name) : name == "transformable"
      guard isKnown else {
        throw DecodingError.dataCorruptedError(
          forKey: .name,
          in: container,
          debugDescription: "there is no attribute option \(name)"
        )
      }
    }

    /// The option as in a declaration.
    public var debugDescription: String {
      ".\(name)" + (transformerName.map { "(by: \($0))" } ?? "")
    }

    /// No two models have the same value: a save with a value that exists changes the stored model.
    public static let unique = Option("unique")
    /// Large data is kept in files beside the store.
    public static let externalStorage = Option("externalStorage")
    /// The value is tracked, but not stored.
    public static let ephemeral = Option("ephemeral")
    /// The value is part of the store's word index, if it has one.
    public static let spotlight = Option("spotlight")
    /// The history keeps the value of a deleted model.
    public static let preserveValueOnDeletion = Option("preserveValueOnDeletion")
    /// The value is stored as it encodes itself, in one column that predicates cannot look into.
    public static let codable = Option("codable")
    /// The value may be encrypted by CloudKit.
    ///
    /// It is part of the model, and otherwise ignored.
    public static let allowsCloudEncryption = Option("allowsCloudEncryption")

    /// A transformer converts the values.
    ///
    /// - Parameter transformerName: The name under which the transformer is registered.
    /// - Returns: The option.
    public static func transformable(by transformerName: String) -> Option {
      Option("transformable", transformerName: transformerName)
    }

    /// A transformer converts the values.
    ///
    /// The transformer is registered under the name of its class, unless it is already.
    ///
    /// - Parameter transformerType: The class of the transformer.
    /// - Returns: The option.
    public static func transformable(by transformerType: ValueTransformer.Type) -> Option {
      let name = "\(transformerType)"
      let transformerName = NSValueTransformerName(name)
      if ValueTransformer(forName: transformerName) == nil {
        guard let transformer = transformerType.madeByName else {
          stop(
            "\(transformerType) has stored properties; register an instance under the name \(name) before it is used"
          )
        }
        ValueTransformer.setValueTransformer(transformer, forName: transformerName)
      }
      return Option("transformable", transformerName: name)
    }
  }
}
