/// Specifies how an attribute is stored.
///
/// - Parameters:
///   - options: The options of the attribute, such as `.unique` or `.externalStorage`.
///   - originalName: The name that the property had in the version of the schema before; a lightweight migration takes the
///     values over.
///   - hashModifier: A text that goes into the hash of the attribute, so that it counts as changed although its
///     description is the same.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option...,
  originalName: String? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "AttributeMacro")

/// Specifies how a relationship is stored.
///
/// Name the inverse on one side only: the compiler refuses two properties that name each other. A relationship without
/// this macro gets the inverse that fits, if there is exactly one; with the macro it gets the one that you name, or none.
///
/// - Parameters:
///   - options: The options of the relationship, such as `.unique`.
///   - deleteRule: What is done with the related models when this one is deleted.
///   - minimumModelCount: The least number of related models.
///   - maximumModelCount: The greatest number of related models; 0 is without limit.
///   - originalName: The name that the property had in the version of the schema before.
///   - inverse: The property of the related model that refers to this one, as `\Folder.notes`.
///   - hashModifier: A text that goes into the hash of the relationship.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option...,
  deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0,
  maximumModelCount: Int? = 0,
  originalName: String? = nil,
  inverse: AnyKeyPath? = nil,
  hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "RelationshipMacro")

/// Leaves a property out of the schema.
///
/// The property needs a default value, with which the objects that are fetched begin.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "TransientMacro")

/// Specifies combinations of properties that no two stored models have in common.
///
/// ```swift
/// #Unique<Note>([\.title], [\.folder, \.number])
/// ```
///
/// A model that is saved with the values of a stored one replaces it. A class has one `#Unique`.
///
/// - Parameter constraints: The combinations; each is unique by itself.
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "SwiftDataMacros", type: "UniqueMacro")

/// Specifies the indexes of a model's table.
///
/// ```swift
/// #Index<Note>([\.created], [\.folder, \.title])
/// ```
///
/// - Parameter indices: The properties of each index, in the order in which it sorts.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "SwiftDataMacros", type: "IndexMacro")

/// Specifies the indexes of a model's table with the kind of each.
///
/// ```swift
/// #Index<Place>(.binary([\.name]), .rtree([\.longitude, \.latitude]))
/// ```
///
/// - Parameter indices: The indexes.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "SwiftDataMacros", type: "IndexMacro")
