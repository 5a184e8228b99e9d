import Foundation

/// The entity of a request that was made with a name or a description.
final class BatchEntity {
  let name: String
  /// Nil while only the name is known.
  private(set) var entity: NSEntityDescription?

  init(name: String) {
    self.name = name
  }

  init(_ entity: NSEntityDescription) {
    name = entity.name ?? ""
    self.entity = entity
  }

  var requiredEntity: NSEntityDescription {
    guard let entity else {
      stop(
        """
        the request was made with the entity's name \(name) alone and does not know the entity before \
        it is executed; make it with the entity
        """
      )
    }
    return entity
  }

  /// The entity in the context's model; stops the program if the model does not contain the name.
  func layout(in context: NSManagedObjectContext) -> EntityLayout {
    guard let layout = context.requiredCoordinator.layout[name] else {
      stop(context.unknownEntitySentence(name))
    }
    if entity == nil { entity = layout.description }
    return layout
  }
}
