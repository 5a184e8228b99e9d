package import CoreDataModel

extension ModelSchema {
  /// The model as it is compiled for a module: every class says which module it is in.
  ///
  /// The runtime finds a Swift class by `Library.Note` only. A model mostly says `.Note`, or just
  /// `Note` where Objective-C would have had one name for the whole program.
  package func naming(classesIn module: String) -> Self {
    var schema = self
    for index in schema.entities.indices {
      let name = ClassName(schema.entities[index].className, in: module)
      guard !name.isManagedObject else { continue }
      schema.entities[index].className = "\(name.module ?? module).\(name.path)"
    }
    return schema
  }
}
