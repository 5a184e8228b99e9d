package import CoreDataModel
public import Foundation

/// Reading models from files and bundles.
extension NSManagedObjectModel {
  /// Reads a model from a file.
  ///
  /// The initializer fails if the file cannot be read; the reason is written to the standard error
  /// output.
  ///
  /// - Parameter url: A compiled model (`.momd` or `.mom`) or a source model (`.xcdatamodeld` or
  ///   `.xcdatamodel`). Of a model with several versions, the current one is read.
  public convenience init?(contentsOf url: URL) {
    do {
      try self.init(reading: url)
    } catch {
      // A message that cannot be written, such as to a disk that is full, ends no program.
      try? FileHandle.standardError.write(
        contentsOf: Data("CoreData: \(url.path) cannot be used as a model\n\(error)\n".utf8)
      )
      return nil
    }
  }

  /// The same with the reasons as an error: every problem of the model, with file and line.
  package convenience init(reading url: URL) throws(ModelError) {
    self.init(schema: try ModelFile.current(in: url))
    LoadedModelFiles.note(url)
  }

  /// Returns a model that contains the entities of all models in the given bundles.
  ///
  /// - Parameter bundles: The bundles in which to search, or `nil` for those of the program.
  /// - Returns: The merged model, which is empty if no models are found.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let files = ModelFile.compiled(in: bundles ?? [.main])
    return NSManagedObjectModel(
      byMerging: files.compactMap { NSManagedObjectModel(contentsOf: $0) }
    )
  }

  /// Returns the model with which a store was created, from all versions of all models in the given
  /// bundles.
  ///
  /// - Parameters:
  ///   - bundles: The bundles in which to search, or `nil` for those of the program.
  ///   - metadata: The metadata of the store.
  /// - Returns: The model, or `nil` if the bundles do not contain it.
  public class func mergedModel(
    from bundles: [Bundle]?,
    forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let versions = ModelFile.compiled(in: bundles ?? [.main])
      // A model that cannot be read is not the one the store was made with.
      .flatMap { (try? ModelFile(contentsOf: $0))?.versions ?? [] }
    return NSManagedObjectModel(
      byMerging: versions.map { NSManagedObjectModel(schema: $0) },
      forStoreMetadata: metadata
    )
  }
}
