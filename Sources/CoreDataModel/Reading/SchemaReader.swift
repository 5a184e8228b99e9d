package import Foundation

/// Reads one version's XML into a schema, gathering every problem with its line.
///
///     <model userDefinedModelVersionIdentifier="2">
///       <entity …/>  <composite …/>  <fetchRequest …/>  <configuration …/>  <elements …/>
///     </model>
///
/// A value that cannot be read is reported and replaced by its default, so that one mistake does
/// not hide the next; a schema with problems is never handed to anyone.
package struct SchemaReader {
  package private(set) var problems: [ModelProblem] = []
  private let file: String?
  /// The lines of entities and properties, for the problems that only the whole schema shows.
  private var lines: [Place: Int] = [:]
  /// Attributes whose type was reported already.
  private var unreadable: Set<Place> = []
  var composites: [String: XMLElementTree] = [:]

  struct Place: Hashable {
    var entity: String
    var property: String?
  }

  package init(file: String? = nil) {
    self.file = file
  }

  /// The schema that an XML text says; look at `problems` before using it.
  package mutating func schema(from data: Data) -> ModelSchema {
    let root: XMLElementTree
    do {
      root = try XMLElementTree.root(of: data)
    } catch {
      report(error.line, "the file is not well-formed XML: \(error.message)")
      return ModelSchema()
    }
    guard root.name == "model" else {
      report(root.line, "the file is not a data model: it begins with <\(root.name)>, not <model>")
      return ModelSchema()
    }
    return checkedSchema(from: root)
  }

  /// The schema of an archive as Xcode 3 wrote it; look at `problems` before using it.
  package mutating func schema(fromElements archive: Data) -> ModelSchema {
    do {
      var elements = try ModelElements(archive: archive)
      let root = try elements.model()
      for warning in elements.warnings { report(0, warning, severity: .warning) }
      return checkedSchema(from: root)
    } catch {
      report(
        0,
        "the archive is not a model as Xcode 3 wrote it: \(error); open the model in Xcode and save it"
      )
      return ModelSchema()
    }
  }

  private mutating func checkedSchema(from root: XMLElementTree) -> ModelSchema {
    let schema = self.schema(from: root).canonical
    for problem in schema.problems + schema.formatProblems where !isKnown(problem) {
      problems.append(located(problem))
    }
    problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    return schema
  }

  private mutating func schema(from root: XMLElementTree) -> ModelSchema {
    for composite in root.children(named: "composite") {
      composites[composite.attributes["name"] ?? ""] = composite
    }
    var schema = ModelSchema()
    // An empty one is one as well: compiled models and stores have it.
    if let identifier = root.attributes["userDefinedModelVersionIdentifier"] {
      schema.versionIdentifiers = [identifier]
    }
    for element in root.children {
      switch element.name {
      case "entity":
        schema.entities.append(entity(from: element))
      case "fetchRequest":
        schema.fetchRequestTemplates.append(fetchRequest(from: element))
      case "configuration":
        let members = element.children(named: "memberEntity").compactMap { $0.attributes["name"] }
        schema.configurations[element.attributes["name"] ?? "", default: []].formUnion(members)
      case "composite", "elements":
        continue
      default:
        warnOfUnknown(element)
      }
    }
    return schema
  }
}

// MARK: - Problems

extension SchemaReader {
  mutating func note(_ line: Int, entity: String, property: String? = nil) {
    if line > 0 { lines[Place(entity: entity, property: property)] = line }
  }

  mutating func report(
    _ line: Int,
    _ message: String,
    severity: ModelProblem.Severity = .error,
    entity: String? = nil,
    property: String? = nil
  ) {
    problems.append(
      ModelProblem(
        severity,
        file: file,
        // The elements of an archive do not have lines.
        line: line > 0 ? line : nil,
        entity: entity,
        property: property,
        message: message
      )
    )
  }

  /// Reports a type or composite that cannot be read, and keeps the checks from repeating it.
  mutating func reportUnreadable(_ line: Int, _ message: String, entity: String, property: String) {
    unreadable.insert(Place(entity: entity, property: property))
    report(line, message, entity: entity, property: property)
  }

  mutating func warnOfUnknown(_ element: XMLElementTree, entity: String? = nil) {
    report(
      element.line,
      "the element <\(element.name)> is not known and was left out",
      severity: .warning,
      entity: entity
    )
  }

  private func isKnown(_ problem: ModelProblem) -> Bool {
    guard let entity = problem.entity else { return false }
    return unreadable.contains(Place(entity: entity, property: problem.property))
  }

  private func located(_ problem: ModelProblem) -> ModelProblem {
    var problem = problem
    problem.file = file
    if let entity = problem.entity {
      let property = problem.property?.split(separator: ".").first.map(String.init)
      problem.line =
        lines[Place(entity: entity, property: property)] ?? lines[Place(entity: entity)]
    }
    return problem
  }
}
