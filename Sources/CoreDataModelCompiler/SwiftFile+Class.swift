extension SwiftFile {
  /// `Note+CoreDataClass.swift`: the class itself.
  ///
  /// It says `nonisolated` so that it also compiles in a module whose code is on the main actor by
  /// default: a managed object belongs to its context, whatever the module says.
  static func classDefinition(of entity: EntityClass) -> Self {
    let origin = entity.superclass.isManagedObject ? "CoreData" : entity.superclass.module
    return Self(
      name: "\(entity.name.path)+CoreDataClass.swift",
      imports: Set([origin].compactMap(\.self)),
      body: "nonisolated public class \(entity.name.spelling): \(entity.superclass.spelling) {}"
    )
  }
}
