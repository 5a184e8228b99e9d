import Observation

/// Converts a class into a model that SwiftData can store.
///
/// ```swift
/// @Model
/// final class Note {
///   @Attribute(.unique) var title: String
///   var stars = 0
///   var folder: Folder?
///
///   init(title: String) {
///     self.title = title
///   }
/// }
/// ```
///
/// Every stored property becomes an attribute or a relationship: a property whose type is a model, an optional or an array
/// of models is a relationship, any other an attribute. Computed and static properties and those marked ``Transient()`` are
/// left out. The class needs an initializer. A constant (`let`) is stored too, and an object
/// keeps the value that it got when it was made or fetched.
///
/// A class with an operator `==` of its own declares that it is `Equatable`, as in `final class Note: Equatable`: the
/// compiler finds the operator twice where a macro adds the conformance.
///
/// The macro stops with an error at the place in question if the type is not a class, if the class is generic or lacks an
/// initializer, and if a property is lazy, a tuple or a function, or is transient without a default value. It warns of
/// `willSet` and `didSet`, which are never called.
@attached(
  member,
  conformances: PersistentModel,
  Observable,
  names: named(_$backingData),
  named(_$ModelRoot),
  named(_schemaConstraints),
  named(init),
  named(persistentBackingData),
  named(schemaMetadata)
)
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Observable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")

/// Gives a property of a model its accessors; ``Model()`` attaches it to each stored property.
///
/// - Parameter place: The place of the property among those that the class stores, in order of their names.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(_ place: Int) =
  #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// Adds to an actor what it needs to work with models in a context of its own.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///   func add(_ title: String) throws {
///     modelContext.insert(Note(title: title))
///     try modelContext.save()
///   }
/// }
///
/// let importer = Importer(modelContainer: container)
/// ```
///
/// The actor runs where its context does, on a queue of its own. An initializer `init(modelContainer:)` that the actor
/// declares itself takes the place of the macro's.
@attached(
  member,
  conformances: ModelActor,
  names: named(modelExecutor),
  named(modelContainer),
  named(init)
)
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")
