import CoreDataPredicates
import Foundation

/// Which class a mapping's policy is of.
enum PolicyClass {
  /// A new policy for a mapping.
  static func policy(
    for mapping: NSEntityMapping
  ) throws(MappingFailure) -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
      guard mapping.mappingType != .customEntityMappingType else {
        throw .noPolicy(mapping: mapping.name)
      }
      return NSEntityMigrationPolicy()
    }
    guard let type = find(name) else { throw .unknownPolicy(name, mapping: mapping.name) }
    return type.init()
  }

  private static func find(_ name: String) -> NSEntityMigrationPolicy.Type? {
    if name == "NSEntityMigrationPolicy" { return NSEntityMigrationPolicy.self }
    for candidate in [name] + ProgramBundles.modules.map({ "\($0).\(name)" }) {
      if let type = NSClassFromString(candidate) as? NSEntityMigrationPolicy.Type { return type }
    }
    return nil
  }
}

extension NSEntityMigrationPolicy: SelectorPerforming {
  package func perform(selector: String, with arguments: [Any?]) throws -> Any?? {
    do {
      return .some(try value(forFunction: selector, arguments: arguments))
    } catch {
      thrown = error
      throw error
    }
  }
}
