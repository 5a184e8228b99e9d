import CoreData
import CoreDataModel
import Foundation

/// Which property each column of a file becomes, and how its cells become values.
final class ImportPlan {
  let entity: NSEntityDescription
  private let names: [String: String]
  private let constants: TypedConstants
  private let context: NSManagedObjectContext
  private var targets: [String: [String: Result<PlainValue, Refusal>]] = [:]
  /// The columns that were met, in the order of the file.
  private var met: [ImportColumn] = []
  private var places: [String: Int] = [:]

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

  /// The columns that become properties.
  var columns: [(column: String, property: String)] {
    met.compactMap { column in column.property.map { (column.name, $0.stringValue) } }
  }

  /// Columns that are left out because somebody said so.
  var omitted: [String] { met.filter { $0.property == nil }.map(\.name) }

  /// The values of a record; throws for a column that becomes nothing, and for a value that is none of its
  /// property.
  func row(of record: ImportedRecord) throws -> ImportedRow {
    var row = ImportedRow()
    for (place, cell) in record.cells.enumerated() {
      let column = try column(cell.name, at: place)
      guard let property = column.property else { continue }
      row.add(try value(of: cell.text, in: column), for: property)
    }
    return row
  }

  /// Notes the columns of a record or a file.
  func meet(_ names: some Sequence<String>) throws {
    for (place, name) in names.enumerated() { _ = try column(name, at: place) }
  }
}

// MARK: - Columns

extension ImportPlan {
  /// What a column becomes; looked for first where it stands in most records.
  private func column(_ name: String, at place: Int) throws -> ImportColumn {
    if place < met.count, met[place].name == name { return met[place] }
    if let place = places[name] { return met[place] }
    let column = ImportColumn(name, try property(of: name), of: entity, constants.schema)
    places[name] = met.count
    met.append(column)
    return column
  }

  /// The property that a column becomes; nil for one that is left out.
  private func property(of column: String) throws -> String? {
    let name = names[column] ?? match(column)
    if name.isEmpty { return nil }
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
}

// MARK: - Values

extension ImportPlan {
  private func value(of text: ImportedText, in column: ImportColumn) throws -> PlainValue {
    let name = column.property?.stringValue ?? ""
    switch text {
    case .nothing:
      return .nothing
    case .nested:
      throw Refusal("\(entity.name ?? "").\(name): a list or an object cannot be imported")
    case .text(let text):
      switch column.kind {
      case .relationship(let destination): return try target(text, destination, name)
      case .attribute(let type):
        if let value = PlainValue(text, type) { return value }
      case .other: break
      }
      // The word nil alone is no value; everything else is refused in a sentence.
      _ = try WrittenValue(text, for: name, of: entity.name ?? "", constants)
      return .nothing
    }
  }
}

// MARK: - Relationships

extension ImportPlan {
  /// The object with an identity such as `Folder/p1`, or with a value that is unique; each text is looked
  /// for once, whether it is found or not.
  private func target(
    _ text: String,
    _ destination: NSEntityDescription,
    _ property: String
  ) throws -> PlainValue {
    if let known = targets[property]?[text] { return try known.get() }
    do {
      let value = try lookUp(text, destination, property)
      targets[property, default: [:]][text] = .success(value)
      return value
    } catch let refusal as Refusal {
      targets[property, default: [:]][text] = .failure(refusal)
      throw refusal
    }
  }

  private func lookUp(
    _ text: String,
    _ destination: NSEntityDescription,
    _ property: String
  ) throws -> PlainValue {
    let id =
      try unique(text, destination)
      ?? constants.identity(text, destination.name ?? "", "\(entity.name ?? "").\(property)")
    let exists =
      try refusing { try context.count(for: Self.request(destination, "SELF == %@", [id])) } > 0
    guard exists else { throw Refusal("there is no \(destination.name ?? "object") '\(text)'") }
    return .object(id, id.uriRepresentation().absoluteString)
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
