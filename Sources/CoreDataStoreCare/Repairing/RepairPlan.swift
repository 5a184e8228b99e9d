import CoreData

/// The findings that a repair is going to mend, and those that it cannot.
///
/// ```
/// 1  Note.folder   3 rows lead to a Folder that is not there   takes the key out of them
/// 2  Folder        the last key is said to be 2 …              raises Z_MAX to 12
/// left             Note.title: 1 row has a text that is not valid UTF-8
/// ```
package struct RepairPlan: Hashable, Sendable {
  /// In the order in which they will be made.
  package let steps: [Step]
  /// The findings that stay.
  package let left: [Finding]

  /// One remedy, and its findings.
  package struct Step: Hashable, Sendable {
    package let remedy: Remedy
    /// The findings that the remedy serves: both ends of a relationship have the same.
    package let findings: [Finding]
  }

  init(_ report: CheckReport, deletesBroken: Bool, leavingOut refused: Set<Remedy> = []) {
    var steps: [Step] = []
    var left: [Finding] = []
    for finding in report.findings {
      guard let remedy = finding.remedy, !refused.contains(remedy),
        deletesBroken || !remedy.deletesObjects
      else {
        if finding.severity != .note { left.append(finding) }
        continue
      }
      if let known = steps.firstIndex(where: { $0.remedy == remedy }) {
        steps[known] = Step(remedy: remedy, findings: steps[known].findings + [finding])
      } else {
        steps.append(Step(remedy: remedy, findings: [finding]))
      }
    }
    self.steps = steps.enumerated()
      .sorted { ($0.element.remedy.phase, $0.offset) < ($1.element.remedy.phase, $1.offset) }
      .map(\.element)
    self.left = left
  }

  /// The steps that change the database, which are one transaction.
  var databaseSteps: [Step] { steps.filter { $0.remedy.work != .moveOrphans } }
}
