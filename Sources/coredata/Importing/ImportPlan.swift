import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// Which property each column of a file becomes, and how its cells become values.
final class ImportPlan {
  let entity: NSEntityDescription
  let layout: EntityLayout
  private let names: [String: String]
  /// Whether a record may be written onto an object that is there.
  private let updates: Bool
  private let constants: TypedConstants
  private let context: NSManagedObjectContext
  private let scratch: NSManagedObject
  /// The properties of which no record may say nothing.
  private let required: [ImportDemand]
  /// The columns of the file, in its order.
  private var met: [ImportColumn] = []
  /// The column that becomes each property.
  private var takers: [String: String] = [:]
  /// The properties by their names without capital letters and blanks.
  private let alike: [String: [String]]

  /// `names` are properties by columns, as somebody has written them; an empty one leaves the column out.
  init(
    _ entity: NSEntityDescription,
    _ layout: EntityLayout,
    names: [String: String],
    updates: Bool,
    _ constants: TypedConstants,
    in context: NSManagedObjectContext
  ) {
    self.entity = entity
    self.layout = layout
    self.names = names
    self.updates = updates
    self.constants = constants
    self.context = context
    let scratch = NSManagedObject(entity: entity, insertInto: nil)
    self.scratch = scratch
    alike = Dictionary(grouping: entity.propertiesByName.keys, by: Self.plain)
    required = entity.propertiesByName.keys.sorted()
      .compactMap { Self.demand(on: $0, of: entity, layout, scratch) }
      .filter { $0.obstacleOfSilence != nil }
  }

  private static func demand(
    on property: String,
    of entity: NSEntityDescription,
    _ layout: EntityLayout,
    _ scratch: NSManagedObject
  ) -> ImportDemand? {
    guard let slot = layout.slot(named: property) else { return nil }
    if let attribute = entity.attributesByName[property] {
      return ImportDemand(attribute, at: slot, scratch)
    }
    return entity.relationshipsByName[property].flatMap { ImportDemand($0, at: slot, scratch) }
  }

  /// The columns that become properties.
  var columns: [(column: String, property: String)] {
    met.compactMap { column in column.property.map { (column.name, $0) } }
  }

  /// Columns that are left out because somebody said so.
  var omitted: [String] { met.filter { $0.property == nil }.map(\.name) }
}

// MARK: - Columns

extension ImportPlan {
  /// Notes the columns of a file, as far as they are known; throws for one that becomes nothing.
  func meet(_ columns: [String]) throws {
    while met.count < columns.count { met.append(try column(columns[met.count])) }
  }

  private func column(_ name: String) throws -> ImportColumn {
    guard let property = try property(of: name) else {
      return ImportColumn(name, nil, .omitted, nil)
    }
    let kind = try ImportColumn.Kind(name, property, of: entity, layout)
    let demand = Self.demand(on: property, of: entity, layout, scratch)
    return ImportColumn(name, property, kind, demand)
  }

  /// The property that a column becomes; nil for one that is left out.
  private func property(of column: String) throws -> String? {
    let name = names[column] ?? match(column)
    if name.isEmpty { return nil }
    guard isKnown(name) else {
      throw Refusal(
        "\(try obstacle(to: name))\nSay what the column becomes, as with --map '\(column)=property', or leave"
          + " it out with --map '\(column)='."
      )
    }
    if let other = takers.updateValue(column, forKey: name) {
      throw Refusal("the columns '\(other)' and '\(column)' both become \(name)")
    }
    return name
  }

  /// The reason why a name cannot be that of a column.
  private func obstacle(to name: String) throws -> String {
    let head = String(name.prefix { $0 != "." })
    guard case .attribute(let attribute)? = constants.schema.property(head, of: layout.name),
      attribute.type == .composite
    else {
      let question = Spelling.question(name, among: entity.propertiesByName.keys.sorted())
      return "\(layout.name) has no property '\(name)'\(question)"
    }
    do {
      let element = try constants.schema.element(at: name, of: layout.name) ?? attribute
      return "\(layout.name).\(name) is a composite attribute; its elements are "
        + element.elementPaths(behind: name)
    } catch let refusal as Refusal {
      return refusal.description
    }
  }

  /// Whether it is a property's name, or that of an element of a composite attribute.
  private func isKnown(_ name: String) -> Bool {
    entity.propertiesByName[name] != nil || ImportedElement(name, of: layout) != nil
  }

  /// A column finds its property however it writes capital letters and blanks.
  private func match(_ column: String) -> String {
    if isKnown(column) { return column }
    let alike = alike[Self.plain(column)] ?? []
    return alike.count == 1 ? alike[0] : column
  }

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}

// MARK: - Values

extension ImportPlan {
  /// Writes the values of a record; throws a ``Refusal`` for a value that cannot be imported.
  func write(_ record: ImportedRecord, to row: inout RowPen) throws {
    var composites = ImportedComposites(layout, scratch, updates: updates)
    for cell in record.cells {
      try write(cell.text, in: met[cell.column], to: &row, &composites)
    }
    try composites.write(to: &row)
    for demand in required where !row.given.contains(demand.slot) {
      if let obstacle = demand.obstacleOfSilence { throw Refusal(obstacle) }
    }
  }

  private func write(
    _ text: ImportedText,
    in column: ImportColumn,
    to row: inout RowPen,
    _ composites: inout ImportedComposites
  ) throws {
    switch (column.kind, text) {
    case (.omitted, _): break
    case (.attribute(_, let slot), .nothing), (.relationship(_, let slot), .nothing):
      try writeNothing(at: slot, column.demand, to: &row)
    case (.attribute(let type, let slot), .text(let bytes)):
      if writePlain(bytes, type, slot, column.demand, to: &row) { return }
      try write(String(decoding: bytes, as: UTF8.self), type, slot, column, to: &row)
    case (.relationship(let destination, let slot), .text(let bytes)),
      (.relationship(let destination, let slot), .identity(let bytes)):
      let text = String(decoding: bytes, as: UTF8.self)
      try row.set(slot, to: target(text, destination, column))
    case (.element(let element), .nothing):
      composites.set(element, to: NSNull())
    case (.element(let element), .text(let bytes)):
      let text = String(decoding: bytes, as: UTF8.self)
      composites.set(element, to: try value(text, of: element, in: column))
    case (.attribute(.transformable, _), .identity), (.attribute(.transformable, _), .nested):
      throw Refusal(
        "\(words(for: column)): JSON shows what an archive holds, and only its bytes can be imported; coredata dump"
          + " --archives writes them"
      )
    case (.attribute(.composite, _), .identity), (.attribute(.composite, _), .nested):
      // The refused cell is not text, whatever is in it.
      try refuse("", in: column)
    case (_, .identity), (_, .nested):
      throw Refusal("\(words(for: column)): a list or an object cannot be imported")
    }
  }

  private func words(for column: ImportColumn) -> String {
    "\(entity.name ?? "").\(column.property ?? "")"
  }

  private func writeNothing(
    at slot: Int,
    _ demand: ImportDemand?,
    to row: inout RowPen
  ) throws {
    if let obstacle = demand?.obstacleOfNothing { throw Refusal(obstacle) }
    row.setNothing(slot)
  }

  /// Writes what is spelled in the plainest way; false, and nothing written, where more has to be known to tell
  /// what it is or whether the model allows it.
  private func writePlain(
    _ bytes: UnsafeRawBufferPointer,
    _ type: AttributeType,
    _ slot: Int,
    _ demand: ImportDemand?,
    to row: inout RowPen
  ) -> Bool {
    switch type {
    case .string:
      guard demand?.admits(length: bytes.utf16Count) != false else { return false }
      row.set(slot, toText: bytes)
    case .integer16, .integer32, .integer64:
      guard let number = bytes.plainInteger, type.admits(number), demand?.admits(number) != false
      else { return false }
      row.set(slot, to: number)
    case .double:
      guard let number = bytes.plainNumber, demand?.admits(number) != false else { return false }
      row.set(slot, to: number)
    case .boolean:
      guard let flag = bytes.plainFlag, demand?.isFree != false else { return false }
      row.set(slot, to: Int64(flag ? 1 : 0))
    case .date:
      guard let moment = bytes.plainMoment, demand?.isFree != false else { return false }
      row.set(slot, to: moment)
    case .float, .decimal, .uuid, .uri, .undefined, .binaryData, .transformable, .objectID,
      .composite:
      return false
    }
    return true
  }

  /// Writes a value in whatever way it is spelled.
  private func write(
    _ text: String,
    _ type: AttributeType,
    _ slot: Int,
    _ column: ImportColumn,
    to row: inout RowPen
  ) throws {
    guard let value = PlainValue(dumped: text, type)?.boxed else {
      // Only the word nil means no value; other texts are refused in a sentence.
      try type.advising(on: text) { try refuse(text, in: column) }
      return try writeNothing(at: slot, column.demand, to: &row)
    }
    if let demand = column.demand, !demand.isFree, let obstacle = demand.obstacle(in: value) {
      throw Refusal(obstacle)
    }
    try row.set(slot, toAny: value)
  }

  /// The value of an element of a composite attribute; the word nil means no value if the element is not text.
  private func value(
    _ text: String,
    of element: ImportedElement,
    in column: ImportColumn
  ) throws -> Any {
    let attribute = element.attribute
    if let value = PlainValue(dumped: text, attribute.type) { return value.boxed }
    return try attribute.type.advising(on: text) {
      try WrittenValue(text, for: attribute, at: words(for: column)).batchValue
    }
  }

  private func refuse(_ text: String, in column: ImportColumn) throws {
    _ = try WrittenValue(text, for: column.property ?? "", of: entity.name ?? "", constants)
  }
}

extension AttributeType {
  /// Whether an integer fits into an integer of the type.
  fileprivate func admits(_ number: Int64) -> Bool {
    switch self {
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    case .integer64, .undefined, .decimal, .double, .float, .string, .boolean, .date, .binaryData,
      .uuid, .uri, .transformable, .objectID, .composite:
      true
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
    _ column: ImportColumn
  ) throws -> NSManagedObjectID {
    if let known = column.targets[text] { return try known.get() }
    do {
      let id = try lookUp(text, destination, words(for: column))
      column.targets[text] = .success(id)
      return id
    } catch let refusal as Refusal {
      column.targets[text] = .failure(refusal)
      throw refusal
    }
  }

  private func lookUp(
    _ text: String,
    _ destination: NSEntityDescription,
    _ place: String
  ) throws -> NSManagedObjectID {
    let id =
      try unique(text, destination)
      ?? constants.identity(text, destination.name ?? "", place)
    let exists =
      try refusing { try context.count(for: Self.request(destination, "SELF == %@", [id])) } > 0
    guard exists else { throw Refusal("there is no \(destination.name ?? "object") '\(text)'") }
    return id
  }

  private func unique(
    _ text: String,
    _ destination: NSEntityDescription
  ) throws -> NSManagedObjectID? {
    for constraint in destination.uniquenessConstraints where constraint.count == 1 {
      guard let name = constraint[0] as? String ?? (constraint[0] as? NSAttributeDescription)?.name,
        destination.attributesByName[name] != nil,
        // A text that is not a value of the attribute cannot name an object by it.
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
