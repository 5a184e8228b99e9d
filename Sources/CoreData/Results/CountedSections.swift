import CoreDataPredicates
import Foundation

/// Sections that a store counts, so that not every object has to be asked for its own.
///
/// ```
/// fetch in batches of 60    the keys of 100,000 objects
/// SELECT "ZNAME", COUNT(*) … GROUP BY "ZNAME" ORDER BY "ZNAME"
/// SELECT … WHERE "Z_PK" IN (…)      the first and the last object of each section prove it
/// ```
///
/// For objects that are read in batches, whose section is a text that the store has and that orders
/// them first. Others have their rows already, or something to say that no row knows.
struct CountedSections {
  private let rule: ResultsRule
  private let context: NSManagedObjectContext
  private let key: String
  private let order: NSSortDescriptor

  /// `nil` if the store cannot count them.
  init?(_ rule: ResultsRule, in context: NSManagedObjectContext) {
    let request = rule.request
    let stores = request.affectedStores ?? context.persistentStoreCoordinator?.persistentStores
    guard request.fetchBatchSize > 0, !rule.hasRange, context.parent == nil, !context.hasChanges,
      stores?.count == 1, stores?.first?.backend is any StreamingStore,
      let key = rule.storedTextOfSections, let order = request.sortDescriptors?.first,
      order.term.keyPath == [key]
    else { return nil }
    if case .comparator = order.term.order { return nil }
    self.rule = rule
    self.context = context
    self.key = key
    self.order = order
  }

  /// Names and counts, in the order of the sections; one statement.
  ///
  /// Returns `nil` if the order does not keep names apart: their objects may be mixed, and the ends would prove
  /// nothing.
  func counted() throws -> [KnownSection]? {
    let size = NSExpressionDescription()
    size.name = "size of the section"
    size.expression = NSExpression(format: "count:(SELF)")
    size.expressionResultType = .integer64AttributeType
    let request = rule.request.retyped(NSManagedObject.self)
    request.propertiesToFetch = [key, size]
    request.propertiesToGroupBy = [key]
    request.sortDescriptors = [order]
    request.fetchBatchSize = 0
    request.relationshipKeyPathsForPrefetching = nil
    var sections: [KnownSection] = []
    for group in try context.rows(of: request) {
      let name = group[key, as: String.self] ?? ""
      let count = group[size.name, as: Int.self] ?? 0
      // No text and an empty text have the same name.
      if let last = sections.last, last.name == name {
        sections[sections.count - 1] = KnownSection(name: name, count: last.count + count)
        continue
      }
      if let last = sections.last,
        order.term.order.compareTexts(last.name, name) == .orderedSame
      {
        return nil
      }
      sections.append(KnownSection(name: name, count: count))
    }
    return sections
  }

  /// Reads the objects at the ends of sections, which are looked at; one statement.
  func readEnds(of sections: [KnownSection], among objects: [NSManagedObject]) throws {
    guard sections.reduce(0, { $0 + $1.count }) == objects.count else { return }
    var start = 0
    var ends: [NSManagedObject] = []
    for section in sections where section.count > 0 {
      ends.append(objects[start])
      if section.count > 1 { ends.append(objects[start + section.count - 1]) }
      start += section.count
    }
    try context.readWaitingRows(
      of: ends.filter { $0.isFault && $0.stored == nil }
    )
  }
}

extension ResultsRule {
  /// The attribute whose text is the name of sections; `nil` if the name comes from something else.
  fileprivate var storedTextOfSections: String? {
    guard case .keyPath(let path) = sectioning, let slot = layout.slot(named: path),
      layout.slots[slot].isPersistent, case .text = layout.kinds[slot]
    else { return nil }
    return path
  }
}
