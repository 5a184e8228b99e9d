import CoreData

/// Shows how other rules in the model would act.
///
/// Each question is put to a copy of the model with another rule.
struct Rules {
  private let model: NSManagedObjectModel

  init(_ persistence: Persistence) {
    model = persistence.container.managedObjectModel
  }

  func show() throws {
    print("\n— Relationship properties")
    try showRequiredCategory()
    try showTooFewBooks()
    try showTooManyBooks()
    print("\n— Delete rules")
    try showDeletion("Cascade", .cascadeDeleteRule)
    try showDeletion("Deny", .denyDeleteRule)
    try showDeletion("Nullify", .nullifyDeleteRule)
    try showDeletion("No Action", .noActionDeleteRule)
  }
}

// MARK: - Relationship properties

extension Rules {
  private func showRequiredCategory() throws {
    let trial = try Trial(model) { $0.relationship("category", of: "Book")?.isOptional = false }
    trial.insert("Book", ["title": "A book of no category"])
    print("A required category, and none: \(trial.save())")
  }

  private func showTooFewBooks() throws {
    for isOptional in [false, true] {
      let trial = try Trial(model) { model in
        model.relationship("books", of: "BookCategory")?.isOptional = isOptional
        model.relationship("books", of: "BookCategory")?.minCount = 1
      }
      trial.insert("BookCategory", ["name": "Fiction"])
      print("At least 1 book\(isOptional ? ", but optional" : ""), and none: \(trial.save())")
    }
  }

  private func showTooManyBooks() throws {
    let trial = try Trial(model) { $0.relationship("books", of: "BookCategory")?.maxCount = 2 }
    trial.insertFiction(with: ["The first book", "The second book", "The third book"])
    print("At most 2 books, and three: \(trial.save())")
  }
}

// MARK: - Delete rules

extension Rules {
  /// Deletes a category of two books, and shows what another context finds afterwards.
  private func showDeletion(_ name: String, _ rule: NSDeleteRule) throws {
    let trial = try Trial(model) { $0.relationship("books", of: "BookCategory")?.deleteRule = rule }
    let fiction = trial.insertFiction(with: ["The first book", "The second book"])
    _ = trial.save()
    trial.delete(fiction)
    print("\(name): \(trial.save())")
    print("  \(try trial.remains())")
  }
}

extension NSManagedObjectModel {
  fileprivate func relationship(_ name: String, of entity: String) -> NSRelationshipDescription? {
    entitiesByName[entity]?.relationshipsByName[name]
  }
}
