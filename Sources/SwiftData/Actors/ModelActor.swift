import CoreData
import Foundation

/// An actor that works with models in a context of its own; the macro `@ModelActor` makes an actor conform to it.
///
/// The actor runs on a queue of its context, never on the main thread, wherever it is created. Only an actor whose executor
/// was made with ``ModelContainer/mainContext`` runs on the main queue. Its context shows what others save.
public protocol ModelActor: Actor {
  /// The container of the actor's context.
  nonisolated var modelContainer: ModelContainer { get }
  /// The executor of the actor, which has the context.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The queue of the context as an executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    guard let executor = modelExecutor as? any SerialModelExecutor else {
      stop("the executor of \(type(of: self)) is no SerialModelExecutor")
    }
    return executor.asUnownedSerialExecutor()
  }

  /// The context of the actor.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The model with an identifier, or `nil` if it does not exist, or is of another class.
  ///
  /// A model whose values are not known costs one SQL statement.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - type: The class.
  public subscript<Model: PersistentModel>(
    id: PersistentIdentifier,
    as type: Model.Type
  ) -> Model? {
    modelContext.existingModel(for: id)
  }
}

/// An executor with a context.
public protocol ModelExecutor: Executor {
  /// The context.
  var modelContext: ModelContext { get }
}

/// An executor with a context that runs one piece of work after the other.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// The executor that `@ModelActor` uses: a queue of its own, to which the context belongs, or that of the main actor.
///
/// Safety: the context is used on the queue only.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
  /// The context.
  public let modelContext: ModelContext

  /// Creates an executor.
  ///
  /// - Parameter modelContext: A context that nobody else uses, or the context of the main actor.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    modelContext.moveToQueue()
  }

  public func enqueue(_ job: consuming ExecutorJob) { modelContext.objects.run(job) }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { modelContext.objects.executor }
}

extension ModelContext {
  /// The context belongs to its queue from now on, and merges there by itself what others save.
  ///
  /// The main actor's context already belongs to the main queue, and stays as it is.
  func moveToQueue() {
    if objects.concurrencyType == .mainQueueConcurrencyType { return }
    mail = nil
    objects.allowsObservationTracking = false
    objects.automaticallyMergesChangesFromParent = true
  }

  /// The model with an identifier, if it is stored.
  func existingModel<Model: PersistentModel>(for id: PersistentIdentifier) -> Model? {
    guard let objectID = id.objectID(in: parts.coordinator),
      let row = try? objects.existingObject(with: objectID) as? ModelRow
    else { return nil }
    return row.model as? Model
  }
}
