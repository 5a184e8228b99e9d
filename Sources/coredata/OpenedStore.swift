import CoreData
import CoreDataModel
import Foundation

/// A store that a command works on, with the model it is read by.
///
/// The model is the one given with `--model`, or the one that is in the file. Classes of entities are
/// those of programs that are not here, so that every object is an `NSManagedObject`.
struct OpenedStore {
  let url: URL
  let schema: ModelSchema
  let coordinator: NSPersistentStoreCoordinator

  init(at url: URL, model: URL?, isReadOnly: Bool = true) throws {
    try self.init(at: url, ModelChoice(model), isReadOnly: isReadOnly)
  }

  init(at url: URL, _ choice: ModelChoice, isReadOnly: Bool = true) throws {
    self.url = url
    try Self.requireFile(url)
    schema = try Self.model(choice, of: url).withoutClasses.withoutArchivedDefaults
    if case .file(let model) = choice { try Self.requireFitting(schema, model, url) }
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
    var options: [AnyHashable: Any] = [
      // A program that lives for one question needs no large cache of pages.
      NSSQLitePragmasOption: ["cache_size": "-8192"]
    ]
    if isReadOnly {
      options[NSReadOnlyPersistentStoreOption] = true
      // An index of words is used where the store has one, and left alone where it has not.
      options[CoreDataTextSearchOption] = true
    }
    // What tables tell may differ in things that no column shows.
    if case .tables = choice { options[NSIgnorePersistentStoreVersioningOption] = true }
    try refusing {
      try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    }
  }

  private static func model(_ choice: ModelChoice, of url: URL) throws -> ModelSchema {
    do {
      return try choice.model(forStoreAt: url).schema
    } catch let error as NSError where error.isOfModel && choice.canBeTables(of: url) {
      throw Refusal(
        (error.localizedFailureReason ?? error.localizedDescription)
          + "\nGive the application's model with --model, or read the tables alone with "
          + "--without-model."
      )
    } catch {
      return try refusing { throw error }
    }
  }

  static func requireFile(_ url: URL) throws {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal("\(url.path): there is no such file")
    }
  }

  /// Says which entities differ before the store is opened, and what helps.
  private static func requireFitting(_ schema: ModelSchema, _ model: URL, _ store: URL) throws {
    guard let difference = StoreHashes(ofStoreAt: store).difference(from: schema) else { return }
    throw Refusal(
      """
      \(store.path) was not made with the model \(model.relativePath): \(difference)
      Give the version of the model that the store was made with, or leave --model out to use the \
      model inside the store.
      """
    )
  }

  /// A context of its own queue; what a command does with objects it does in `performAndWait`.
  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}

/// Does something of the framework's; an error of Apple's kind becomes a sentence for the terminal.
@discardableResult
func refusing<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as ModelError {
    throw error
  } catch let error as Refusal {
    throw error
  } catch let error as NSError {
    let sentences = [
      error.localizedDescription, error.localizedFailureReason,
      error.localizedRecoverySuggestion,
    ]
    throw Refusal(sentences.compactMap(\.self).joined(separator: " "))
  }
}

extension ModelChoice {
  /// Whether reading the tables alone would be another choice.
  fileprivate func canBeTables(of store: URL) -> Bool {
    guard case .inStore = self else { return false }
    return (try? StoredModel(inStoreAt: store, from: .tables)) != nil
  }
}

extension NSError {
  fileprivate var isOfModel: Bool { code == CocoaError.fileReadCorruptFile.rawValue }
}
