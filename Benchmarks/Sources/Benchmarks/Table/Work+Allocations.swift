import CAllocations
import CoreData

// How often the allocator is asked: figures that depend on no machine, so that they show what a change does.

extension Work {
  static var allocations: [Work] {
    [
      count("allocations-fetch", "allocations: a fetched object", bar: 1.1) { stand, meter in
        let context = try stand.context(at: stand.filled)
        warm(context)
        try meter.each(of: stand.count) { keep(try context.fetch(all)) }
      },
      count("allocations-read", "allocations: ten attributes read, two long texts", bar: 2.1) {
        stand,
        meter in
        let context = try stand.context(at: stand.filled)
        let entries = try context.fetch(all)
        meter.each(of: entries.count) { for entry in entries { keep(weight(of: entry)) } }
      },
      count("allocations-single", "allocations: a fetch of one object that is known", bar: 28) {
        stand,
        meter in
        let context = try stand.context(at: stand.filled)
        let request = all
        request.predicate = NSPredicate(
          format: "date == %@",
          Date(timeIntervalSinceReferenceDate: 7) as NSDate
        )
        let known = try context.fetch(request)
        try meter.each(of: 100) { for _ in 0..<100 { keep(try context.fetch(request)) } }
        keep(known)
      },
      count("allocations-create", "allocations: an object created and saved", bar: 8) {
        stand,
        meter in
        let context = try stand.context(at: try stand.copy(of: stand.empty, "counted"))
        let values = (1...10_000).map { EntryValues($0) }
        try meter.each(of: values.count) {
          for values in values { set(values, of: Loose(context: context)) }
          try context.save()
        }
      },
    ]
  }

  private static func count(
    _ name: String,
    _ title: String,
    bar: Double,
    _ body: @escaping (Stand, inout AllocationMeter) throws -> Void
  ) -> Work {
    Work(name: name, title: title, bar: bar, unit: .allocations) {
      var meter = AllocationMeter()
      try body($0.stand, &meter)
      $0.ours(figure: meter.figure)
    }
  }
}

/// Counts what this thread asks the allocator for, for each of a number of operations.
private struct AllocationMeter {
  private(set) var figure = Double.nan

  mutating func each(of operations: Int, _ work: () throws -> Void) rethrows {
    let start = allocation_count()
    try work()
    figure = Double(allocation_count() - start) / Double(operations)
  }
}
