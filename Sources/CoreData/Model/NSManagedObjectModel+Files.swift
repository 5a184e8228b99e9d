package import CoreDataModel
public import Foundation

/// Models out of files.
extension NSManagedObjectModel {
  /// Reads the current version of a compiled model, `.momd` or `.mom`, or of a model that is not
  /// compiled, `.xcdatamodeld` or `.xcdatamodel`.
  ///
  /// Nil when it cannot be read; the reason goes to the standard error output.
  public convenience init?(contentsOf url: URL) {
    do {
      try self.init(reading: url)
    } catch {
      FileHandle.standardError.write(
        Data("CoreData: \(url.path) cannot be used as a model\n\(error)\n".utf8)
      )
      return nil
    }
  }

  /// The same with the reasons as an error: every problem of the model, with file and line.
  package convenience init(reading url: URL) throws(ModelError) {
    self.init(schema: try ModelFile.current(in: url))
    LoadedModelFiles.note(url)
  }

  /// One model of all models in the bundles, those of the program for nil.
  ///
  /// Where there are none, the model is empty.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let files = ModelFile.compiled(in: bundles ?? [.main])
    return NSManagedObjectModel(
      byMerging: files.compactMap { NSManagedObjectModel(contentsOf: $0) }
    )
  }

  /// The model that a store was made with, of all versions of all models in the bundles; nil when
  /// it is not among them.
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
