/// Why no classes can be written for a model.
package enum GenerationError: Error, Hashable {
  case classOfOtherModule(String, entity: String, module: String)
  case classWrittenTwice(String, by: String, and: String)
  case notAnIdentifier(String, place: String)
  case nameTaken(String, entity: String)
  case unknownDestination(String, entity: String, property: String)
}

extension GenerationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .classOfOtherModule(let name, let entity, let module):
      """
      entity '\(entity)': class '\(name)' cannot be written into module '\(module)'; set the \
      entity's module to Current Product Module, or its code generation to Manual/None
      """
    case .classWrittenTwice(let name, let first, let second):
      """
      entities '\(first)' and '\(second)' would both write class '\(name)'; give one of them \
      another class, or set its code generation to Manual/None
      """
    case .notAnIdentifier(let name, let place):
      "\(place) '\(name)' is not a name that Swift code can use; rename it"
    case .nameTaken(let name, let entity):
      """
      entity '\(entity)': property '\(name)' has the name of a member of NSManagedObject; rename \
      it, or set the entity's code generation to Manual/None
      """
    case .unknownDestination(let destination, let entity, let property):
      """
      entity '\(entity)': '\(property)' leads to entity '\(destination)', which the model does \
      not have; choose another destination
      """
    }
  }
}
