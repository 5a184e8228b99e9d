import CoreData
import CoreDataModel
import CoreDataPredicates
import CoreDataStoreCare
import Foundation

/// `coredata set`: other values for some objects, the way a program would set them.
struct SetCommand: Command {
  static let words = ["set"]
  static let summary = "set values of objects, as a program with the model would"
  static let help = """
    coredata set STORE --entity NAME --where PREDICATE KEY=VALUE [KEY=VALUE …] [--dry-run] [--yes]
                 [--only-changed] [--author NAME] [--model MODEL] [--run-triggers]
                 [--time-limit S] [--json]

    Sets attributes and to-one relationships of all objects that match a condition, in the way a program
    with the store's model would: values are validated, derived values follow, versions are incremented,
    and if the store keeps a history, a transaction is added to it. Either everything is saved or
    nothing. The changes are shown first, and saved after you confirm. Close the programs that use the
    store.

      --entity NAME      the entity of the objects; its subentities are included
      --where PREDICATE  which objects, as for coredata dump; TRUEPREDICATE for all
      KEY=VALUE          the value is a text, a number, yes or no, a date such as 2024-05-10T18:14:11Z,
                         a UUID, a URL, or an object such as Folder/p1; nil removes the value. Data
                         are written as Base64, and a transformable value as that of its archive. The
                         key is a property, or an element of a composite attribute such as
                         place.latitude; its other elements keep their values
      --dry-run          show what would be changed, or why it cannot be saved, and change nothing
      --yes              save without asking
      --only-changed     validate only the properties that change; without it, an object that breaks a
                         rule of the model in any of its properties is not saved
      --author NAME      the author of the transaction in the history; the default is coredata
      --model MODEL      the model to read the store with; without it, the model inside the store
    \(StrangeCode.help)
    \(StatementTime.help)
      --json             print an object with "found", "count", "changes", "alsoChanged", "triggers"
                         and "isSaved"; does not ask, and therefore needs --yes or --dry-run

    Objects at the other end of a relationship change too, and are listed. With --run-triggers, the
    triggers of the file that are not its model's are listed as well: they run when the changes are
    saved. It is no error if no object matches.

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
  private let validatesChangesOnly: Bool
  private let printsJSON: Bool
  private let runsTriggers: Bool

  init(_ arguments: inout CommandArguments) throws {
    runsTriggers = arguments.flag("--run-triggers")
    try StatementTime.take(from: &arguments)
    isDryRun = arguments.flag("--dry-run")
    isAgreed = arguments.flag("--yes")
    validatesChangesOnly = arguments.flag("--only-changed")
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
        throw arguments.mistake("'\(word)' is not a value to set; write it as title=Shopping")
      }
      return (String(parts[0]), String(parts[1]))
    }
    for (place, assignment) in self.assignments.enumerated()
    where self.assignments[..<place].contains(where: { $0.key == assignment.key }) {
      throw arguments.mistake("\(assignment.key) is given twice")
    }
    for whole in self.assignments {
      for part in self.assignments where part.key.hasPrefix("\(whole.key).") {
        throw arguments.mistake("\(part.key) is a part of \(whole.key); give one of them")
      }
    }
    if printsJSON, !isDryRun, !isAgreed {
      throw arguments.mistake("--json does not ask; add --yes or --dry-run")
    }
  }

  func run() throws {
    try OpenedStore.requireSQLite(url)
    try OpenedStore.requireWritable(url, "nothing can be set")
    let store = try OpenedStore(
      at: url,
      model,
      isReadOnly: isDryRun,
      readsObjects: true,
      runsTriggers: runsTriggers
    )
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
    let tree = try constants.rewriting(try PredicateTree(written: condition), of: entity)
    let values = try assignments.map {
      try WrittenValue($0.text, for: $0.key, of: layout.name, constants, asStored: true)
    }
    let context = store.context()
    context.transactionAuthor = author
    try context.performAndWait { try change(values, where: tree, in: context, of: store) }
  }

  private func change(
    _ values: [WrittenValue],
    where tree: PredicateTree,
    in context: NSManagedObjectContext,
    of store: OpenedStore
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate.of(tree)
    request.sortDescriptors = []
    let objects = try refusing { try context.fetch(request) }
    let changes = objects.flatMap { object in values.compactMap { $0.change(of: object) } }
    try set(values, on: objects)
    let touched = context.objectsToSave
    context.fillTransients(of: touched)
    // Changes that a save would refuse are refused before anything is promised.
    try requireValid(context)
    try SharedValue.requireNone(among: touched, in: context)
    let found = Set(objects)
    let outcome = SetOutcome(
      found: found.count,
      changes: changes,
      alsoChanged: touched.filter { !found.contains($0) }.map(\.objectID.words).sorted(),
      triggers: try triggers(for: touched, in: store),
      isRehearsal: isDryRun
    )
    let isNeeded = outcome.count > 0 && !isDryRun
    if !printsJSON { print(outcome.text) }
    if isNeeded {
      if !isAgreed { try Consent.ask("Save?", orAdvise: "add --yes to save what is shown") }
      try refusing {
        try validatesChangesOnly ? context.saveWithoutValidation() : context.save()
      }
      if !printsJSON { print("Saved.") }
    }
    if printsJSON { print(outcome.json(isSaved: isNeeded).pretty) }
  }

  private func set(_ values: [WrittenValue], on objects: [NSManagedObject]) throws {
    for object in objects {
      for value in values where value.change(of: object) != nil { try value.set(on: object) }
    }
  }

  private func triggers(
    for touched: [NSManagedObject],
    in store: OpenedStore
  ) throws -> [StrangeTrigger] {
    let entities = Set(touched.compactMap { $0.entity.name })
    if entities.isEmpty { return [] }
    return try refusing {
      try StrangeTrigger.setOff(
        byUpdating: entities,
        of: store.schema,
        inStoreAt: url,
        patience: OpenedStore.patience
      )
    }
  }
}

// MARK: - Obstacles

extension SetCommand {
  private static let shownRules = 10

  /// Throws for rules of the model that the objects would break, each with its object.
  private func requireValid(_ context: NSManagedObjectContext) throws {
    let all = context.brokenRules()
    let rules = validatesChangesOnly ? all.filter(\.isOfChange) : all
    if rules.isEmpty { return }
    let lines = rules.prefix(Self.shownRules).map { "  \($0.object.words): \($0.sentence)" }
    let more = rules.count - lines.count
    let rest = more > 0 ? ["  … and \(more.grouped) more"] : []
    // The obstacles of an object were there before only if no change is at fault.
    let isOld = !rules.contains(where: \.isOfChange)
    let advice =
      isOld
      ? [
        "These properties are not being changed; --only-changed saves without validating them."
      ] : []
    throw Refusal(
      (["nothing was changed: the model does not allow it"] + lines + rest + advice)
        .joined(separator: "\n")
    )
  }
}
