import CoreData
import CoreDataModel
import Foundation

/// Which property each column of a file becomes, and how its cells become values.
final class ImportPlan {
  let entity: NSEntityDescription
  private let names: [String: String]
  private let constants: TypedConstants
  private let context: NSManagedObjectContext
  private var targets: [String: [String: NSManagedObjectID]] = [:]
  /// The columns that were met, and the properties they became, in the order of the file.
  private(set) var columns: [(column: String, property: String)] = []
  /// Columns that are left out because somebody said so.
  private(set) var omitted: [String] = []

  /// `names` are properties by columns, as somebody has written them; an empty one leaves the column out.
  init(
    _ entity: NSEntityDescription,
    names: [String: String],
    _ constants: TypedConstants,
    in context: NSManagedObjectContext
  ) {
    self.entity = entity
    self.names = names
    self.constants = constants
    self.context = context
  }

  /// The property that a column becomes; nil for one that is left out.
  func property(of column: String) throws -> String? {
    if let known = columns.first(where: { $0.column == column }) { return known.property }
    if omitted.contains(column) { return nil }
    let name = names[column] ?? match(column)
    if name.isEmpty {
      omitted.append(column)
      return nil
    }
    guard entity.propertiesByName[name] != nil else {
      let question = Spelling.question(name, among: entity.propertiesByName.keys.sorted())
      throw Refusal(
        "\(entity.name ?? "") has no property '\(name)'\(question)\nSay which one the column becomes, as with"
          + " --map '\(column)=property', or leave it out with --map '\(column)='."
      )
    }
    if let other = columns.first(where: { $0.property == name }) {
      throw Refusal("the columns '\(other.column)' and '\(column)' both become \(name)")
    }
    columns.append((column, name))
    return name
  }

  /// A column finds its property however it writes capital letters and blanks.
  private func match(_ column: String) -> String {
    func plain(_ name: String) -> String {
      name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    if entity.propertiesByName[column] != nil { return column }
    let alike = entity.propertiesByName.keys.filter { plain($0) == plain(column) }
    return alike.count == 1 ? alike[0] : column
  }

  /// The values of a record, by property, as a batch insertion takes them.
  func values(of record: ImportedRecord) throws -> [String: Any] {
    var values: [String: Any] = [:]
    for cell in record.cells {
      guard let property = try property(of: cell.name) else { continue }
      switch cell.text {
      case .nothing: values[property] = NSNull()
      case .text(let text): values[property] = try value(text, of: property)
      case .nested:
        throw Refusal("\(entity.name ?? "").\(property): a list or an object cannot be imported")
      }
    }
    return values
  }

  private func value(_ text: String, of property: String) throws -> Any {
    if let relationship = entity.relationshipsByName[property], !relationship.isToMany,
      let destination = relationship.destinationEntity
    {
      return try target(text, destination, property)
    }
    // The word nil is a text here; a cell with nothing in it is no value.
    if text == "nil", entity.attributesByName[property]?.type == .string { return text }
    return try WrittenValue(text, for: property, of: entity.name ?? "", constants).batchValue
  }
}

// MARK: - Relationships

extension ImportPlan {
  /// The object with an identity such as `Folder/p1`, or with a value that is unique.
  private func target(
    _ text: String,
    _ destination: NSEntityDescription,
    _ property: String
  ) throws -> NSManagedObjectID {
    if let id = targets[property]?[text] { return id }
    let id =
      try unique(text, destination)
      ?? constants.identity(text, destination.name ?? "", "\(entity.name ?? "").\(property)")
    let exists =
      try refusing { try context.count(for: Self.request(destination, "SELF == %@", [id])) } > 0
    guard exists else { throw Refusal("there is no \(destination.name ?? "object") '\(text)'") }
    targets[property, default: [:]][text] = id
    return id
  }

  private func unique(
    _ text: String,
    _ destination: NSEntityDescription
  ) throws -> NSManagedObjectID? {
    for constraint in destination.uniquenessConstraints where constraint.count == 1 {
      guard let name = constraint[0] as? String ?? (constraint[0] as? NSAttributeDescription)?.name,
        destination.attributesByName[name] != nil,
        // A text that is no value of the attribute names nothing by it.
        let value = try? WrittenValue(text, for: name, of: destination.name ?? "", constants)
      else { continue }
      let request = Self.request(destination, "%K == %@", [name, value.batchValue])
      let found = try refusing { try context.fetch(request) }
      if let id = found.first { return id }
    }
    return nil
  }

  private static func request(
    _ entity: NSEntityDescription,
    _ format: String,
    _ arguments: [Any]
  ) -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name ?? "")
    request.resultType = .managedObjectIDResultType
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    request.fetchLimit = 1
    return request
  }
}
