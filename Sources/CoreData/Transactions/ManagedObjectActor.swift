import Foundation

/// An actor whose methods run on the queue of a managed object context.
///
/// ```swift
/// actor Desk: ManagedObjectActor {
///   let context: NSManagedObjectContext
///
///   init(_ container: NSPersistentContainer) {
///     context = container.newBackgroundContext()
///   }
///
///   func rename(_ id: NSManagedObjectID, to title: String) throws {
///     guard let note = try self[id, as: Note.self] else { return }
///     note.title = title
///     try saveIfNeeded()
///   }
/// }
/// ```
///
/// The methods use the context and its objects directly, without `perform`. Objects stay in the actor: the
/// compiler refuses a method that hands one out. Pass an `NSManagedObjectID`, or values.
///
/// Between two `await`s of a method, nothing else runs on the context's queue. As with every actor, another
/// method may run during an `await`; so save before it what belongs together.
///
/// An actor of the main queue's context runs on the main queue.
public protocol ManagedObjectActor: Actor {
  /// The context that the actor owns; the same one at all times.
  ///
  /// Declare it with `let`.
  nonisolated var context: NSManagedObjectContext { get }
}

extension ManagedObjectActor {
  /// The queue of the context as an executor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    context.queue.asUnownedSerialExecutor()
  }

  /// Saves the context if it has changes.
  ///
  /// - Throws: The errors of ``NSManagedObjectContext/save()``. The changes remain in the context then; call
  ///   ``NSManagedObjectContext/rollback()`` to drop them.
  public func saveIfNeeded() throws {
    if context.hasChanges { try context.save() }
  }

  /// The object with an identity, or `nil` if it does not exist, or is of another class.
  ///
  /// An object whose values are not known costs one SQL statement.
  ///
  /// - Parameters:
  ///   - id: The identity, of any context or coordinator of the same store.
  ///   - type: The class of the object.
  /// - Throws: The error of a store that cannot be read.
  public subscript<Object: NSManagedObject>(
    id: NSManagedObjectID,
    as type: Object.Type = NSManagedObject.self
  ) -> Object? {
    get throws {
      do {
        return try context.existingObject(with: id) as? Object
      } catch let error as NSError
        where error.domain == NSCocoaErrorDomain
        && error.code == NSManagedObjectReferentialIntegrityError
      {
        return nil
      }
    }
  }
}

// MARK: - A context's queue as an executor

extension ContextQueue: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async {
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      self.endEvent()
    }
  }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func checkIsolated() {
    precondition(isCurrent, "this code belongs to the queue of a managed object context")
  }
}
