/// Objects with equal values that must be unique, or one whose values a row already has.
struct ConstraintViolation {
  let constraint: UniqueConstraint
  let objects: [NSManagedObject]
  /// The row that has the values and keeps them; nil when only objects of the save want them.
  let holder: Row?

  init(_ constraint: UniqueConstraint, _ objects: [NSManagedObject], holder: Row?) {
    self.constraint = constraint
    self.objects = objects
    self.holder = holder
  }

  var reason: String {
    let keys = objects.map { "\($0.key)" }
    return "\(constraint.entity).\(constraint.names) \(keys) \(holder?.primaryKey ?? 0)"
  }
}
