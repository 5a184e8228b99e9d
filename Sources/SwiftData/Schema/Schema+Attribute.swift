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
    /// The type of the property.
    public let valueType: Any.Type
    /// How values are stored.
    let form: ValueForm?
    private let formerName: String?

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
      valueType = Never.self
      form = nil
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
      self.valueType = valueType
      self.form = form
      formerName = arguments?.formerName
    }

    /// The name that the property had in the last version of the schema.
    public var originalName: String { formerName ?? name }
    /// Whether the type of the property is optional.
    public var isOptional: Bool { valueType is any AnyOptionalType.Type }
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
  }
}

extension Schema.Attribute: Hashable {
  public static func == (one: Schema.Attribute, other: Schema.Attribute) -> Bool {
    one.name == other.name && one.valueType == other.valueType && one.options == other.options
      && one.formerName == other.formerName && one.hashModifier == other.hashModifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(ObjectIdentifier(valueType))
    hasher.combine(options)
  }
}

extension Schema.Attribute: CustomDebugStringConvertible {
  /// The name of the attribute, its type and its options.
  public var debugDescription: String {
    let options = options.map { " " + $0.debugDescription }.joined()
    return "\(name): \(valueType)\(options)"
  }
}

// MARK: - Options

extension Schema.Attribute {
  /// An option of an attribute, as in `@Attribute(.unique)`.
  public struct Option: Hashable, Sendable, CustomDebugStringConvertible {
    private let name: String
    /// The name of the transformer, if that is the option.
    let transformerName: String?

    private init(_ name: String, transformerName: String? = nil) {
      self.name = name
      self.transformerName = transformerName
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
