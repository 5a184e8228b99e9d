import CoreData
import CoreDataModel
import CoreDataPredicates
import Foundation

/// `coredata set`: other values for some objects, the way a program would set them.
struct SetCommand: Command {
  static let words = ["set"]
  static let summary = "set values of objects, with validation, versions and history"
  static let help = """
    coredata set STORE --entity NAME --where PREDICATE KEY=VALUE [KEY=VALUE …] [--dry-run] [--yes]
                 [--author NAME] [--model MODEL] [--json]

    Sets attributes and to-one relationships of the objects that a condition finds, as a program with
    the store's model does: values are validated, versions are counted, derived values follow, and a
    history that the store keeps gets a transaction. All is saved at once, or nothing. Shows what would
    be changed, and does it when you agree. Close the programs that use the store first.

      --entity NAME      the entity of the objects, with its subentities
      --where PREDICATE  which of them, as for coredata dump; TRUEPREDICATE for all
      KEY=VALUE          a text as it is, a number, yes or no, a date as 2024-05-10T18:14:11Z, a UUID, a
                         URL, an object as Folder/p1; nil takes the value away
      --dry-run          show what would be changed, and do nothing
      --yes              do not ask
      --author NAME      the author of the transaction in the history; coredata otherwise
      --model MODEL      the model to read the store by; without it, the model inside the store
      --json             print an object with "count", "changes" and "isSaved"; asks nothing, so that it
                         needs --yes or --dry-run

      coredata set Notes.sqlite --entity Note --where 'title == "Shoping"' title=Shopping --dry-run
      coredata set Notes.sqlite --entity Note --where 'SELF == "Note/p3"' folder=Folder/p1 stars=5

    \(CoreDataCommand.exitStatuses)
    """

  private let url: URL
  private let entity: String
  private let condition: String
  private let assignments: [(key: String, text: String)]
  private let author: String
  private let model: ModelChoice
  private let isDryRun: Bool
  private let isAgreed: Bool
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    isDryRun = arguments.flag("--dry-run")
    isAgreed = arguments.flag("--yes")
    printsJSON = arguments.flag("--json")
    entity = try arguments.value(of: "--entity", "the name of an entity")
    condition = try arguments.value(of: "--where", "which objects; TRUEPREDICATE is all of them")
    author = try arguments.value(ifGiven: "--author") ?? "coredata"
    model = try ModelChoice(given: &arguments)
    url = URL(filePath: try arguments.operand("the path of a store"))
    var assignments = [try arguments.operand("a value, such as title=Shopping,")]
    while let word = arguments.operand() { assignments.append(word) }
    try arguments.finish()
    self.assignments = try assignments.map { word in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw arguments.mistake("'\(word)' is no value to set; write it as title=Shopping")
      }
      return (String(parts[0]), String(parts[1]))
    }
    for (place, assignment) in self.assignments.enumerated()
    where self.assignments[..<place].contains(where: { $0.key == assignment.key }) {
      throw arguments.mistake("\(assignment.key) is given twice")
    }
    if printsJSON, !isDryRun, !isAgreed {
      throw arguments.mistake("--json asks nothing: add --yes or --dry-run")
    }
  }

  func run() throws {
    try OpenedStore.requireSQLite(url)
    let store = try OpenedStore(at: url, model, isReadOnly: isDryRun, readsObjects: true)
    guard let layout = store.coordinator.layout[entity] else {
      let names = store.coordinator.layout.entities.map(\.name).sorted()
      let question = Spelling.question(entity, among: names)
      throw Refusal("the model has no entity '\(entity)'\(question)")
    }
    let constants = TypedConstants(
      schema: store.schema,
      coordinator: store.coordinator,
      text: condition
    )
    let tree = try constants.rewriting(try DumpPlan.tree(condition), of: entity)
    let values = try assignments.map {
      try WrittenValue($0.text, for: $0.key, of: layout.name, constants)
    }
    let context = store.context()
    context.transactionAuthor = author
    try context.performAndWait { try change(values, where: tree, in: context) }
  }

  private func change(
    _ values: [WrittenValue],
    where tree: PredicateTree,
    in context: NSManagedObjectContext
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate.of(tree)
    request.sortDescriptors = []
    let objects = try refusing { try context.fetch(request) }
    let changes = objects.flatMap { object in values.compactMap { $0.change(of: object) } }
    let count = Set(changes.map(\.object)).count
    let isNeeded = count > 0 && !isDryRun
    if isDryRun { try validate(values, of: objects) }
    if !printsJSON { print(text(changes, found: objects.count, count)) }
    if isNeeded, !isAgreed {
      try Consent.ask("Save?", orAdvise: "add --yes to save what is shown")
    }
    if isNeeded {
      for object in objects {
        for value in values where value.change(of: object) != nil { try value.set(on: object) }
      }
      fillTransients(of: objects)
      try refusing { try context.save() }
      if !printsJSON { print("Saved.") }
    }
    if printsJSON {
      let json: JSONValue = [
        "found": .integer(objects.count), "count": .integer(count), "isSaved": .boolean(isNeeded),
        "changes": .array(changes.map(\.json)),
      ]
      print(json.pretty)
    }
  }

  /// Gives transient attributes that must have a value one, as the classes of the program would; it is
  /// not stored.
  private func fillTransients(of objects: [NSManagedObject]) {
    for object in objects where object.hasChanges {
      for (name, attribute) in object.entity.attributesByName
      where attribute.isTransient && !attribute.isOptional && object.value(forKey: name) == nil {
        object.setPrimitiveValue(attribute.type.anyValue, forKey: name)
      }
    }
  }

  /// What a save would refuse is refused before anything is promised.
  private func validate(_ values: [WrittenValue], of objects: [NSManagedObject]) throws {
    for object in objects {
      for value in values where value.change(of: object) != nil { try value.set(on: object) }
    }
    fillTransients(of: objects)
    for object in objects where object.hasChanges {
      try refusing { try object.validateForUpdate() }
    }
  }

  private static let shownChanges = 20

  private func text(_ changes: [ValueChange], found: Int, _ count: Int) -> String {
    let lines = changes.prefix(Self.shownChanges).map { "  \($0.line)" }
    let more = changes.count - lines.count
    let rest = more > 0 ? ["  … and \(more.grouped) more"] : []
    let sum =
      "\(found.of("object")) found, \(count.grouped) to change"
      + (isDryRun ? "; nothing was changed" : "")
    return (lines + rest + [sum]).joined(separator: "\n")
  }
}

extension NSAttributeDescription.AttributeType {
  /// A value of the type; nil for types whose values only their program can make.
  fileprivate var anyValue: Any? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: NSNumber(value: 0)
    case .decimal: NSDecimalNumber.zero
    case .string: ""
    case .date: Date(timeIntervalSinceReferenceDate: 0)
    case .binaryData: Data()
    case .uuid: UUID()
    case .uri: URL(string: "about:blank")
    case _: nil
    }
  }
}
