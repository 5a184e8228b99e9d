import CoreDataModel
import Foundation

extension ModelSchema {
  /// A model from any file that has one: its current version, or the one that is asked for.
  init(contentsOf url: URL, version: String? = nil) throws(ModelError) {
    self = try ModelFile(contentsOf: url).version(version).schema
  }

  /// The same without the classes of its entities, which this program does not have.
  var withoutClasses: ModelSchema {
    var schema = self
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    return schema
  }
}
