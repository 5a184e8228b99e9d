import CoreData
public import Foundation
import Observation

/// A space in which models are inserted, fetched, changed, deleted and saved.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Note(title: "First"))
/// try context.save()
/// ```
///
/// A context has one instance of each stored model. It is used by one thread at a time: that of the main actor for
/// ``ModelContainer/mainContext``, that of a ``ModelActor``, or the one that creates it.
public final class ModelContext {
  let parts: ContainerParts
  /// The container, unless it keeps the context itself.
  private let ownContainer: ModelContainer?
  private weak var keeper: ModelContainer?
  let objects: ModelObjectContext
  var mail: ContextMail.Mailbox?
  private var autosave: Autosave?
  private lazy var editor = UUID()

  /// Creates a context.
  ///
  /// Its changes are saved only by ``save()``, unless you set ``autosaveEnabled``.
  ///
  /// - Parameter container: The container whose stores the context reads and writes.
  public convenience init(_ container: ModelContainer) {
    self.init(container, isMain: false)
  }

  init(_ container: ModelContainer, isMain: Bool) {
    parts = container.parts
    ownContainer = isMain ? nil : container
    keeper = container
    objects = ModelObjectContext(
      concurrencyType: isMain ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    )
    objects.persistentStoreCoordinator = parts.coordinator
    objects.mergePolicy = UpsertingPolicy.shared
    objects.allowsObservationTracking = true
    mail = isMain ? nil : parts.contexts.box(for: objects)
    if isMain {
      objects.automaticallyMergesChangesFromParent = true
      parts.contexts.serve(objects)
    } else {
      objects.allowAnyThread()
    }
    objects.owner = self
    objects.shouldDeleteInaccessibleFaults = true
    if isMain { autosaveEnabled = true }
  }

  deinit {
    saveLast()
    letGoOfModels()
  }

  /// Saves what waits for an automatic save, for which nobody keeps the context.
  private func saveLast() {
    guard autosaveEnabled, objects.hasChanges, objects.isOnItsQueue else { return }
    storeConstants()
    do {
      try objects.save()
    } catch {
      ProgramLog.say("SwiftData: the last save of a context failed: \(error)")
    }
  }

  /// The container of the context.
  public var container: ModelContainer {
    if let container = ownContainer ?? keeper { return container }
    let container = ModelContainer(parts, mainContext: self)
    keeper = container
    return container
  }

  /// Whether changes are saved by themselves, at no promised time.
  ///
  /// It is `true` for ``ModelContainer/mainContext`` and `false` for other contexts. A save comes after an event of the main
  /// queue, at most once a second, and when the main actor ends the program. A program that is killed or crashes, or that
  /// another thread ends, loses the changes of its last second. An error of such a save is logged, and the changes stay.
  public var autosaveEnabled: Bool {
    get { autosave != nil }
    set {
      guard newValue != autosaveEnabled else { return }
      autosave = newValue ? Autosave(of: self) : nil
    }
  }

  /// The author of the context's changes, which the history has.
  public var author: String? {
    get { objects.transactionAuthor }
    set { objects.transactionAuthor = newValue }
  }

  /// The identity of the context, and the author of its changes.
  public var editingState: EditingState {
    get { EditingState(id: editor, author: author) }
    set {
      editor = newValue.id
      author = newValue.author
    }
  }

  /// The undo manager that records changes; `nil` unless it is set.
  public var undoManager: CoreData.UndoManager? {
    get { objects.undoManager }
    set { objects.undoManager = newValue }
  }

  /// Takes what other contexts have saved.
  func takeMail() {
    guard let mail else { return }
    for changes in mail.take() {
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: changes.value,
        into: [objects]
      )
    }
  }

  private func letGoOfModels() {
    for object in objects.unsavedObjects { (object as? ModelRow)?.letGo() }
  }
}

/// The managed object context under a context of models.
///
/// Safety: as its superclass; the owner is set before anybody else has the context.
final class ModelObjectContext: NSManagedObjectContext, @unchecked Sendable {
  weak var owner: ModelContext?
}

/// The policy by which a stored row takes the values of a new model that must be unique.
///
/// Other conflicts are errors.
///
/// Safety: without state of its own.
final class UpsertingPolicy: NSMergePolicy, @unchecked Sendable {
  static let shared = UpsertingPolicy(merge: .errorMergePolicyType)

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    try NSMergePolicy.mergeByPropertyObjectTrump.resolve(constraintConflicts: list)
  }
}

/// The identity of a context, and the author of its changes.
public struct EditingState: Identifiable, Hashable, Sendable {
  /// The identity of the context, in this process.
  public let id: UUID
  /// The author of the context's changes, which the history has.
  public var author: String?
}

extension ModelContext: CustomDebugStringConvertible {
  /// The numbers of models that the next save inserts, changes and deletes.
  public var debugDescription: String {
    let numbers = [objects.insertedObjects, objects.updatedObjects, objects.deletedObjects].map(
      \.count
    )
    return "ModelContext: \(numbers[0]) inserted, \(numbers[1]) changed, \(numbers[2]) deleted"
  }
}

extension ModelContext: Equatable {
  public static func == (one: ModelContext, other: ModelContext) -> Bool { one === other }
}

// MARK: - Inserting and deleting

extension ModelContext {
  /// Inserts a model, and all models without a context that it is related to.
  ///
  /// Nothing happens if the model is in this context already; a deletion of the model is canceled. The program stops if
  /// the model is in another context, or its class is not in the container's schema.
  ///
  /// - Parameter model: The model.
  public func insert<Model: PersistentModel>(_ model: Model) {
    let row = model.modelRow
    if row.isInContext {
      objects.insert(row)
      ModelBox.storeConstants(of: model, in: row)
      row.keepModel()
      return
    }
    if row.isOfModel(of: objects), !row.hasRelatedRows {
      Joining.insertAlone(row, of: model, into: objects)
    } else {
      Joining.insert(row, into: objects)
    }
  }

  /// Deletes a model with the next save.
  ///
  /// A model that was never saved is forgotten. Delete rules are applied by ``processPendingChanges()`` and ``save()``.
  ///
  /// - Parameter model: A model of this context.
  public func delete<Model: PersistentModel>(_ model: Model) {
    let row = model.modelRow
    guard row.isInContext else { return }
    row.keepModel()
    objects.delete(row)
  }

  /// Whether the context has unsaved changes.
  public var hasChanges: Bool { objects.hasChanges }

  /// The models that the next save inserts.
  public var insertedModelsArray: [any PersistentModel] { models(of: objects.insertedObjects) }

  /// The saved models that have unsaved changes.
  public var changedModelsArray: [any PersistentModel] { models(of: objects.updatedObjects) }

  /// The models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] { models(of: objects.deletedObjects) }

  private func models(of objects: Set<NSManagedObject>) -> [any PersistentModel] {
    objects.compactMap { ($0 as? ModelRow)?.model as? any PersistentModel }
  }
}
