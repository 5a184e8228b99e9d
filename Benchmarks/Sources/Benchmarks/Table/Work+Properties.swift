import CoreData
import ProcessorTime

// The cost of an object in memory, and of its properties in use.

extension Work {
  static var properties: [Work] {
    [
      property("get", "generated property: get an integer", bar: 3) { entry, times in
        var sum: Int64 = 0
        for _ in 0..<times { sum &+= entry.i1 }
        keep(sum)
      },
      property(
        "get-background",
        "generated property: get an integer in a background context",
        bar: 3,
        .privateQueue
      ) { entry, times in
        var sum: Int64 = 0
        for _ in 0..<times { sum &+= entry.i1 }
        keep(sum)
      },
      property("set", "generated property: set an integer", bar: 6) { entry, times in
        for time in 0..<times { entry.i1 = Int64(time) }
      },
      property("get-text", "generated property: get a text", bar: 15) { entry, times in
        for _ in 0..<times { keep(entry.title) }
      },
      property("value-for-key", "value(forKey:)", bar: 60) { entry, times in
        for _ in 0..<times { keep(entry.value(forKey: "i1")) }
      },
      Work(
        name: "memory",
        title: "memory of a fetched object",
        bar: 300,
        published: "376, tracked 1,064",
        unit: .bytes
      ) {
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        let before = Memory.allocated
        let objects = try context.fetch(all)
        $0.ours(figure: Double(Memory.allocated - before) / Double(objects.count))
        keep((context, objects))
      },
    ]
  }

  private static func property(
    _ name: String,
    _ title: String,
    bar: Double,
    _ queue: NSManagedObjectContext.ConcurrencyType = .mainQueue,
    _ body: @escaping (Entry, Int) -> Void
  ) -> Work {
    Work(name: name, title: title, bar: bar, unit: .nanoseconds) {
      let context = NSManagedObjectContext(queue)
      context.persistentStoreCoordinator = try $0.stand.coordinator(at: $0.stand.filled)
      let times = 1_000_000
      let milliseconds = try context.performAndWait {
        let request = all
        request.fetchLimit = 1
        let entry = try context.fetch(request)[0]
        body(entry, 1000)
        return Stopwatch.milliseconds { body(entry, times) }
      }
      $0.ours(figure: milliseconds * 1e6 / Double(times))
    }
  }
}
