import Testing

@testable import CoreData

@Suite struct ModelOfAProgramTests {
  /// Found by two programs in one package, each with a model called Notes: the second in the
  /// alphabet got the model of the first.
  @Test func `of two models with one name a program gets the one whose classes it has`() throws {
    let foreign = model(className: "AnotherProgram.Note")
    let own = model(className: NSStringFromClass(LedgerNote.self))
    #expect(ModelLocator.choice(of: [foreign, own]) === own)
    #expect(ModelLocator.choice(of: [own, foreign]) === own)
  }

  @Test func `without the classes of any the first model is taken`() {
    let models = [model(className: "One.Note"), model(className: "Another.Note")]
    #expect(ModelLocator.choice(of: models) === models[0])
  }

  private func model(className: String) -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = className
    let plain = NSEntityDescription()
    plain.name = "Plain"
    let model = NSManagedObjectModel()
    model.entities = [note, plain]
    return model
  }
}

final class LedgerNote: NSManagedObject {}
