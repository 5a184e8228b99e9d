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
    let candidates = ProgramClasses.find(name) { $0 as? NSEntityMigrationPolicy.Type }
    guard candidates.count == 1 else {
      throw .unknownPolicy(
        name,
        mapping: mapping.name,
        candidates: candidates.map { String(reflecting: $0) }.sorted()
      )
    }
    return candidates[0].init()
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
