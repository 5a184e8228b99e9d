import CoreDataModel
import Foundation

extension ModelSchema {
  /// The current version of a model, compiled or not.
  init(contentsOf url: URL) throws(ModelError) {
    let isCompiled = ["momd", "mom"].contains(url.pathExtension)
    self =
      isCompiled
      ? try CompiledModel(contentsOf: url).current : try ModelSource(contentsOf: url).current
  }

  /// The same without the classes of its entities, which this program does not have.
  var withoutClasses: ModelSchema {
    var schema = self
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    return schema
  }
}
