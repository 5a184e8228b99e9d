import CoreDataModel
public import Foundation

/// Models out of stores.
extension NSManagedObjectModel {
  /// Where the model of a store is taken from.
  public enum StoreModelSource: Hashable, Sendable, CaseIterable {
    /// The model that the file carries in itself since iOS 9.
    case cache
    /// The tables: entities, columns and relationships are all there, but names have lost their case,
    /// and what no table says is filled in.
    case tables
    /// The cache, or the tables where there is none or it is damaged.
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
  /// An addition; Apple's framework keeps this model to itself. From the tables a column `ZCREATEDAT`
  /// becomes `createdat`, unless an index, a trigger or the entity's version hash tells how it was
  /// written; objects are `NSManagedObject`s, and version hashes differ wherever something had to be
  /// guessed, so that the store opens with versions ignored. A transformable attribute whose
  /// transformer the program does not have is read as its bytes.
  ///
  /// Throws 259 where the file is no store, or has no model that can be read; 260, 257 and 256 for a
  /// file that is not there or cannot be opened; 134090 for one that another program keeps locked.
  /// The file is not changed. From any thread; the cache takes one statement, the tables one look at
  /// every row.
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
