import CoreDataModel
import CoreDataModelCompiler

/// The files with the classes of SwiftData for a model.
struct SwiftDataClasses {
  private let fit: SwiftDataFit
  private let isFrozen: Bool
  /// The file of the model.
  private let source: String

  /// - Parameters:
  ///   - schema: The model.
  ///   - source: The name of its file.
  ///   - isFromStore: Whether it is the model in a store.
  /// - Throws: A refusal if the name of an entity cannot be that of a class.
  init(_ schema: ModelSchema, from source: String, isFromStore: Bool) throws {
    for entity in schema.entities where !SwiftName(entity.name).isIdentifier {
      throw Refusal(
        "\(source): the entity '\(entity.name)' has a name that no class can have; rename it"
      )
    }
    fit = SwiftDataFit(schema)
    self.source = source.inOneLine
    isFrozen = isFromStore && schema.isOfSwiftData
  }

  var gaps: [SwiftDataGap] { fit.gaps }
  /// The entities whose version hashes differ from those of the model.
  var changedEntities: [String] { fit.changedEntities }

  /// The texts by the names of the files.
  ///
  /// - Parameter single: The name of one file for all; `nil` for a file for each class.
  /// - Returns: The files, in the order of the entities.
  func files(single: String?) -> [(name: String, text: String)] {
    let parts = fit.schema.entities.map { entity in
      let gaps = fit.gaps.filter { $0.entity == entity.name }
      return SwiftDataClass(entity, in: fit.schema, gaps: gaps, isFrozen: isFrozen).text
    }
    let whole = fit.gaps.filter { $0.entity == nil }.map(\.comment).joined(separator: "\n")
    let names = fit.schema.entities.map(\.name)
    let bodies = zip(names, parts).enumerated().map { index, part in
      ([index == 0 ? whole : "", part.1] + declarations(for: part.0))
        .filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
    if let single {
      return [(single, text(bodies.joined(separator: "\n\n")))]
    }
    return zip(names, bodies).map { ("\($0).swift", text($1)) }
  }

  private func text(_ body: String) -> String {
    """
    // Made from \(source) by coredata model generate, to be kept and changed.
    // To generate once more leaves it as it is, unless with --force.

    import Foundation
    import SwiftData

    \(body)

    """
  }

  /// The classes that the model names and does not contain, with the first entity that uses them.
  private func declarations(for entity: String) -> [String] {
    var owners: [String: (entity: String, attribute: String)] = [:]
    for entity in fit.schema.entities {
      for attribute in entity.attributes where attribute.type == .transformable {
        let type = TransformableType(attribute)
        guard type.needsDeclaration, owners[type.spelling] == nil,
          fit.schema.entity(named: type.spelling) == nil
        else { continue }
        owners[type.spelling] = (entity.name, attribute.name)
      }
    }
    return owners.filter { $0.value.entity == entity }.sorted { $0.key < $1.key }.map {
      name,
      owner in
      """
      // The class of \(owner.entity).\(owner.attribute): declare it, or import its module, in place of this line.
      typealias \(name) = NSObject
      """
    }
  }
}

extension ModelSchema {
  /// Whether SwiftData has made the model: then its version is three numbers.
  fileprivate var isOfSwiftData: Bool {
    !versionIdentifiers.isEmpty
      && versionIdentifiers.allSatisfy { version in
        let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 3
          && numbers.allSatisfy { part in
            !part.isEmpty
              && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
          }
      }
  }
}
