import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The migration of a copy of the store to a version of the model: its steps, its losses, its time.
struct TrialMigration {
  static let name = "trial"

  let store: OpenStore
  let url: URL
  let target: ModelSchema

  /// Migrates a copy, which is removed afterwards; the store itself is only read.
  func result(_ job: Job) throws -> JSONValue {
    job.tell(0, of: 0, "a copy of the store")
    var origin = store.schema
    var destination = target
    for index in origin.entities.indices { origin.entities[index].className = "NSManagedObject" }
    for index in destination.entities.indices {
      destination.entities[index].className = "NSManagedObject"
    }
    if origin.entityVersionHashes == destination.entityVersionHashes {
      return ["isNeeded": false]
    }
    let progress = Progress(totalUnitCount: 0)
    let watch = Self.watch(progress, job)
    defer { watch.cancel() }
    let rehearsal = try MigrationRehearsal(
      of: url,
      to: NSManagedObjectModel(schema: destination),
      from: origin,
      options: [
        NSPersistentStoreTimeoutOption: 5.0, CoreDataMigrationProgressOption: progress,
      ]
    )
    let report = rehearsal.report
    return [
      "isNeeded": true, "seconds": .real((rehearsal.seconds * 1000).rounded() / 1000),
      "bytesBefore": .integer(rehearsal.bytesBefore), "bytesAfter": .integer(rehearsal.bytesAfter),
      "steps": .array(
        report.steps.map {
          ["sentence": .text($0.sentence), "rewritesRows": .boolean($0.cost == .rows)]
        }
      ),
      "losses": .array(report.losses.map { .text("\($0)") }),
    ]
  }

  /// Tells the job how many steps are done, and cancels the migration of a job that is not wanted any more.
  private static func watch(_ progress: Progress, _ job: Job) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
    timer.setEventHandler {
      if !job.isWanted { progress.cancel() }
      let (done, total) = (Int(progress.completedUnitCount), Int(progress.totalUnitCount))
      if total > 0 { job.tell(done, of: total, "step \(min(done + 1, total)) of \(total)") }
    }
    timer.resume()
    return timer
  }
}
