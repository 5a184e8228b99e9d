// At the top level of a program Swift takes the `perform` that does not wait, unless it is given a schedule.

import CoreData

let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
await context.perform { print("is not waited for") }
// expected-warning@-1 {{instance method 'perform' is unavailable from asynchronous contexts; it does not wait; write await context.perform(schedule: .enqueued) { … }}}
// expected-warning@-2 {{no 'async' operations occur within 'await' expression}}
await context.perform(schedule: .enqueued) { print("is waited for") }
let titles = await context.perform(schedule: .enqueued) { ["a", "b"].map { $0.uppercased() } }
print(titles)
