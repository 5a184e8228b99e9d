import CoreDataModel
public import Foundation

/// Reading models from stores.
extension NSManagedObjectModel {
  /// The sources from which the model of a store can be read.
  public enum StoreModelSource: Hashable, Sendable, CaseIterable {
    /// The model that a store file has contained since iOS 9.
    case cache
    /// The tables of the store file.
    ///
    /// Entities, attributes and relationships are read from the tables. Their names have lost the
    /// distinction between upper and lower case, and what tables do not contain is filled in with
    /// defaults.
    case tables
    /// The model in the file or, if it is missing or damaged, the tables.
    case best
  }

  /// Reads the model of a SQLite store from its file, without opening it as a store.
  ///
  /// ```swift
  /// let model = try NSManagedObjectModel(contentsOfStoreAt: url, from: .best)
  /// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  /// try coordinator.addPersistentStore(
  ///   type: .sqlite,
  ///   at: url,
  ///   options: [
  ///     NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
  ///   ]
  /// )
  /// ```
  ///
  /// Apple's framework does not have this initializer. A name that is read from the tables is in
  /// lower case, such as `createdat` for `ZCREATEDAT`, unless an index, a trigger or the entity's
  /// version hash reveals its spelling. All objects are `NSManagedObject`s. Version hashes differ
  /// where something had to be guessed, so the store must be opened with versions ignored. A
  /// transformable attribute whose transformer the program does not have is read as data.
  ///
  /// You can call the initializer on any thread. It does not change the file. Reading the model
  /// from the file runs one statement; reading it from the tables reads every row once.
  ///
  /// - Parameters:
  ///   - url: The location of the store.
  ///   - source: The part of the file from which to read the model.
  /// - Throws: 259 if the file is not a store or contains no readable model; 260, 257 or 256 if the
  ///   file does not exist or cannot be opened; 134090 if another program keeps it locked.
  public convenience init(
    contentsOfStoreAt url: URL,
    from source: StoreModelSource = .cache
  ) throws {
    let choice: StoredModel.Choice =
      switch source {
      case .cache: .cache
      case .tables: .tables
      case .best: .best
      }
    self.init(schema: try StoredModel(inStoreAt: url, from: choice).schema.withKnownTransformers)
  }
}
