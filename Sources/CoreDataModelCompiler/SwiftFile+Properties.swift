import CoreDataModel

extension SwiftFile {
  /// `Note+CoreDataProperties.swift`: the fetch request, the properties, the accessors.
  static func properties(
    of entity: EntityClass,
    in model: ModuleModel
  ) throws(GenerationError) -> Self {
    let properties = try PropertyDeclaration.all(of: entity, in: model)
    return Self(
      name: "\(entity.name.path)+CoreDataProperties.swift",
      imports: Set(["CoreData"] + properties.compactMap(\.destination?.module)),
      body: extensions(of: entity, with: properties).joined(separator: "\n\n")
    )
  }

  private static func extensions(
    of entity: EntityClass,
    with properties: [PropertyDeclaration]
  ) -> [String] {
    let name = entity.name.spelling
    let members = [fetchRequest(of: entity)] + properties.map(\.text)
    let accessors = properties.filter { !$0.accessors.isEmpty }.map {
      "// MARK: Generated accessors for \($0.name.text)\n\n"
        + extending(name, with: $0.accessors.map(\.text))
    }
    let identity = "nonisolated extension \(name): Identifiable {}"
    return [extending(name, with: members)] + accessors
      + (entity.inheritsFromModelClass ? [] : [identity])
  }

  private static func extending(_ name: String, with members: [String]) -> String {
    """
    nonisolated extension \(name) {
    \(members.joined(separator: "\n\n"))
    }
    """
  }

  /// One for each class, distinguished by their results, so that a subclass need not override.
  private static func fetchRequest(of entity: EntityClass) -> String {
    let request = "NSFetchRequest<\(entity.name.spelling)>"
    return """
        @nonobjc public class func fetchRequest() -> \(request) {
          \(request)(entityName: \(entity.schema.name.debugDescription))
        }
      """
  }
}
