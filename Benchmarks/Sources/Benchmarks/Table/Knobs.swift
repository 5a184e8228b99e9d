import CoreData
import ProcessorTime

/// The cost for a program without a setting, and with it.
///
///     Scripts/benchmark knobs [count] [rounds]
struct Knobs {
  let count: Int
  let rounds: Int

  func run() throws {
    let stand = try Stand(count: count)
    defer { stand.remove() }
    print("\(count) objects; milliseconds of the processor without / with, the least of \(rounds)")
    try say("fetchBatchSize 50: fetch in order, show the first 50", stand) { context, isSet in
      let request = Work.all
      request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
      if isSet { request.fetchBatchSize = 50 }
      for entry in try context.fetch(request).prefix(50) { Work.keep(entry.title) }
    }
    try say("relationshipKeyPathsForPrefetching: the shelves of 1,000", stand) { context, isSet in
      let request = Work.all
      request.predicate = NSPredicate(format: "i1 == 31")
      if isSet { request.relationshipKeyPathsForPrefetching = ["shelf"] }
      for entry in try context.fetch(request) { Work.keep(entry.shelf?.name) }
    }
    try say("propertiesToFetch: one attribute of all", stand) { context, isSet in
      let request = Work.all
      if isSet { request.propertiesToFetch = ["title"] }
      for entry in try context.fetch(request) { Work.keep(entry.title) }
    }
    try say("an index: 1,000 by a number", stand) { context, isSet in
      let request = Work.all
      request.predicate = NSPredicate(format: isSet ? "i1 == 31" : "i2 == 31")
      Work.keep(try context.fetch(request))
    }
    try say("NSBatchUpdateRequest: one attribute of a tenth", stand, writes: true) {
      context,
      isSet in
      if isSet {
        let request = NSBatchUpdateRequest(entityName: "Entry")
        request.predicate = NSPredicate(format: "i1 < 10")
        request.propertiesToUpdate = ["i3": 7]
        _ = try context.execute(request)
      } else {
        let request = Work.all
        request.predicate = NSPredicate(format: "i1 < 10")
        for entry in try context.fetch(request) { entry.i3 = 7 }
        try context.save()
      }
    }
    try say("NSBatchDeleteRequest: a tenth", stand, writes: true) { context, isSet in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Entry")
      request.predicate = NSPredicate(format: "i1 < 10")
      if isSet {
        _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      } else {
        for case let entry as Entry in try context.fetch(request) { context.delete(entry) }
        try context.save()
      }
    }
  }

  private func say(
    _ title: String,
    _ stand: Stand,
    writes: Bool = false,
    _ work: (NSManagedObjectContext, _ isSet: Bool) throws -> Void
  ) throws {
    let (without, with) = (
      try least(stand, writes) { try work($0, false) },
      try least(stand, writes) { try work($0, true) }
    )
    print(title.padding(toLength: 62, withPad: " ", startingAt: 0), terminator: "")
    print(String(format: "%9.2f / %9.2f", without, with))
  }

  private func least(
    _ stand: Stand,
    _ writes: Bool,
    _ work: (NSManagedObjectContext) throws -> Void
  ) throws -> Double {
    try (0..<rounds).map { _ in
      let file = writes ? try stand.copy(of: stand.filled, "knob") : stand.filled
      let context = try stand.context(at: file)
      Work.warm(context)
      return try Stopwatch.milliseconds { try work(context) }
    }.min() ?? .nan
  }
}
