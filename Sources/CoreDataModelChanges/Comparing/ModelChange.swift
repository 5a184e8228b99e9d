package import CoreDataModel

/// One difference between two versions of a model.
///
///     Note.stars: now required             rewrites rows, enters the version hash
///     Tag: now a subentity of Label        rewrites rows, enters the version hash
///     Note.title: default value "" was none    needs no migration
package struct ModelChange: Hashable, Sendable {
  package let subject: Subject
  package let kind: Kind
  package internal(set) var verdict: LightweightVerdict
  /// Whether the change alone makes a store of the source one that the destination does not open.
  package let entersVersionHash: Bool
  /// A warning about the change, although it is possible.
  package let caution: String?

  package enum Subject: Hashable, Sendable {
    case model
    /// An entity by its name in the destination; in the source, when it was removed.
    case entity(String)
    /// A property by its name in the destination: `title`, or `address.city` inside a composite.
    case property(String, of: String)

    package var entityName: String? {
      switch self {
      case .model: nil
      case .entity(let name): name
      case .property(_, let entity): entity
      }
    }
  }

  package enum Kind: Hashable, Sendable {
    // Entities
    case entityAdded(EntitySchema)
    case entityRemoved(EntitySchema)
    case superentity(from: String?, to: String?)
    case abstractness(isAbstract: Bool)
    case constraintAdded([String])
    case constraintRemoved([String])
    case indexAdded(FetchIndexSchema)
    case indexRemoved(FetchIndexSchema)
    case indexChanged(FetchIndexSchema)

    // Properties
    case propertyAdded(PropertySchema)
    case propertyRemoved(PropertySchema)
    case moved(fromEntity: String)
    case inherited(fromEntity: String)
    case optionality(isOptional: Bool)
    case transience(isTransient: Bool)

    // Attributes
    case type(from: AttributeType, to: AttributeType)
    case derivation(from: String?, to: String?)
    case elementAdded(AttributeSchema)
    case elementRemoved(AttributeSchema)
    case externalStorage(Bool)
    case preservation(Bool)

    // Relationships
    case destination(from: String, to: String)
    case inverse(from: String?, to: String?)
    case cardinality(isToMany: Bool)
    case counts(from: Counts, to: Counts)
    case order(isOrdered: Bool)
    case deleteRule(from: RelationshipSchema.DeleteRule, to: RelationshipSchema.DeleteRule)

    // Everything
    case renamed(from: String)
    case modifier(from: String?, to: String?)
    case setting(Setting, from: String?, to: String?)

    // The model
    case configurationAdded(String, entities: [String])
    case configurationRemoved(String)
    case configurationChanged(String, added: [String], removed: [String])
    case templateAdded(String)
    case templateRemoved(String)
    case templateChanged(String)
  }

  /// How many objects a relationship may hold; a maximum of 0 means that there is no limit.
  package struct Counts: Hashable, Sendable {
    package let minimum: Int
    package let maximum: Int
  }

  /// The settings that a store does not know; raw values are the words for them.
  package enum Setting: String, Hashable, Sendable {
    case className = "class"
    case codeGeneration = "code generation"
    case renamingIdentifier = "renaming identifier"
    case userInfo = "user info"
    case defaultValue = "default value"
    case validation = "validation"
    case derivationFilter = "filter of the derivation"
    case scalarType = "scalar type"
    case valueClass = "class of values"
    case valueTransformer = "value transformer"
    case cloudEncryption = "encryption in the cloud"
    case spotlight = "indexing by Spotlight"
    case truthFile = "storing in the record file"
    case request = "fetch request"
    case versionIdentifiers = "version identifiers"
  }
}

extension ModelChange {
  /// The sign that lists of changes begin their lines with.
  package enum Sign: String, Hashable, Sendable {
    case added = "+"
    case removed = "-"
    case changed = "~"
  }

  package var sign: Sign {
    switch kind {
    case .entityAdded, .constraintAdded, .indexAdded, .propertyAdded, .elementAdded,
      .configurationAdded, .templateAdded:
      .added
    case .entityRemoved, .constraintRemoved, .indexRemoved, .propertyRemoved, .elementRemoved,
      .configurationRemoved, .templateRemoved:
      .removed
    case .superentity, .abstractness, .indexChanged, .moved, .inherited, .optionality, .transience,
      .type, .derivation, .externalStorage, .preservation, .destination, .inverse, .cardinality,
      .counts, .order, .deleteRule, .renamed, .modifier, .setting, .configurationChanged,
      .templateChanged:
      .changed
    }
  }
}
