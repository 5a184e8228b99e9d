/// Looks, before a plan is performed, whether its rows will keep unique what must be.
///
/// ```
/// rows of the plan   a: x → y    b: y → x    new: z
/// the store has      a: x        b: y        c: z
///
/// vacated first      b, because a takes what it has; a likewise
/// violation          the new row wants what c has and keeps
/// ```
///
/// One statement for each constraint of which the plan touches values; none without constraints.
struct ConstraintCheck {
  private(set) var violations: [ConstraintViolation] = []
  /// Rows whose unique value another row of the plan takes while they get a new one.
  private(set) var vacancies: [RowVacancy] = []
  private let plan: ObjectPlan
  private let transaction: any SaveTransaction

  init(_ plan: ObjectPlan, in transaction: any SaveTransaction) throws {
    self.plan = plan
    self.transaction = transaction
    for (constraint, wishes) in wishes() { try check(constraint, wishes) }
  }

  /// The objects that want the same values, in the order of the save.
  fileprivate struct Wish {
    let values: UniqueValues
    var objects: [NSManagedObject]
    /// The row that has the values already because it always had, when it is one of the plan's.
    var numbers: [Int64]
  }

  /// The unique values that the rows of the plan want, by constraint.
  private func wishes() -> [(UniqueConstraint, [Wish])] {
    var order: [UniqueConstraint] = []
    var found: [UniqueConstraint: [UniqueValues: Wish]] = [:]
    var lists: [UniqueConstraint: [UniqueValues]] = [:]
    func wish(
      _ constraint: UniqueConstraint,
      _ snapshot: Snapshot,
      _ object: NSManagedObject,
      _ number: Int64
    ) {
      guard let values = UniqueValues(constraint, of: snapshot, in: object.layout) else { return }
      if found[constraint] == nil { order.append(constraint) }
      if found[constraint]?[values] == nil { lists[constraint, default: []].append(values) }
      found[constraint, default: [:]][
        values,
        default: Wish(values: values, objects: [], numbers: [])
      ]
      .add(object, number)
    }
    for (object, row) in plan.updates {
      for constraint in row.layout.constraints where constraint.isTouched(by: row) {
        wish(constraint, row.snapshot, object, row.primaryKey)
      }
    }
    if plan.rows.inserts.contains(where: { !$0.layout.constraints.isEmpty }) {
      for (object, row) in plan.inserts {
        for constraint in row.layout.constraints {
          wish(constraint, row.snapshot, object, row.primaryKey)
        }
      }
    }
    return order.map { constraint in
      (constraint, (lists[constraint] ?? []).compactMap { found[constraint]?[$0] })
    }
  }

  private mutating func check(_ constraint: UniqueConstraint, _ wishes: [Wish]) throws {
    for wish in wishes where wish.objects.count > 1 {
      violations.append(ConstraintViolation(constraint, wish.objects, holder: nil))
    }
    let single = wishes.filter { $0.objects.count == 1 }
    let wished = Dictionary(uniqueKeysWithValues: single.map { ($0.values, $0) })
    let planned = PlannedRows(plan.rows, constraint)
    let rows = try transaction.rows(with: single.map(\.values), in: constraint)
    for row in rows.sorted(by: { $0.primaryKey < $1.primaryKey }) {
      guard let snapshot = row.snapshot, !planned.deleted.contains(row.primaryKey),
        let values = UniqueValues(constraint, of: snapshot, in: row.layout),
        let wish = wished[values], !wish.numbers.contains(row.primaryKey)
      else { continue }
      if let vacancy = planned.released[row.primaryKey] {
        vacancies.append(vacancy)
      } else {
        violations.append(ConstraintViolation(constraint, wish.objects, holder: row))
      }
    }
  }

  /// The rows of a plan that will not have their unique values any more.
  private struct PlannedRows {
    var deleted: Set<Int64> = []
    /// The rows that get other values, each with a slot of the constraint that is written.
    ///
    /// A row that only gets another place in somebody's order keeps its values.
    var released: [Int64: RowVacancy] = [:]

    init(_ plan: SavePlan, _ constraint: UniqueConstraint) {
      for row in plan.deletes where constraint.numbers.contains(row.layout.number) {
        deleted.insert(row.primaryKey)
      }
      for row in plan.updates where constraint.numbers.contains(row.layout.number) {
        guard let version = row.expectedVersion,
          let slot = constraint.slots.first(where: { row.changed.contains($0) })
        else { continue }
        released[row.primaryKey] = RowVacancy(
          primaryKey: row.primaryKey,
          layout: row.layout,
          slot: slot,
          expectedVersion: version
        )
      }
    }
  }
}

extension ConstraintCheck.Wish {
  fileprivate mutating func add(_ object: NSManagedObject, _ number: Int64) {
    objects.append(object)
    numbers.append(number)
  }
}

extension UniqueConstraint {
  fileprivate func isTouched(by row: RowUpdate) -> Bool {
    slots.contains { row.changed.contains($0) }
  }
}
