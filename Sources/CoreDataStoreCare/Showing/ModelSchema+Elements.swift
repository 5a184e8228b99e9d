package import CoreDataModel

extension ModelSchema {
  /// The element of a composite attribute to which a path such as `place.latitude` leads.
  ///
  /// `nil` for a word that is not a path, and for a path whose first name is not a property. Throws a ``Refusal`` for a
  /// path that leads to no element; it names the property, and its elements.
  package func element(at path: String, of entity: String) throws -> AttributeSchema? {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, let property = property(names[0], of: entity) else { return nil }
    var place = "\(entity).\(names[0])"
    guard case .attribute(var attribute) = property else {
      throw Refusal("\(place) is no attribute; set values of other objects with --entity")
    }
    for name in names.dropFirst() {
      if attribute.type != .composite {
        throw Refusal("\(place) has the type \(attribute.type.word), and no elements")
      }
      guard var element = attribute.elements.first(where: { $0.name == name }) else {
        let elements = attribute.elements.map(\.name)
        let list = elements.joined(separator: ", ")
        throw Refusal(
          "\(place) has no element '\(name)'\(Spelling.question(name, among: elements))\n"
            + "Its elements are \(list)."
        )
      }
      element.isTransient = element.isTransient || attribute.isTransient
      attribute = element
      place += ".\(name)"
    }
    return attribute
  }
}

extension AttributeSchema {
  /// The elements of a composite attribute, behind the path that leads to it: `place.latitude, place.label`.
  package func elementPaths(behind path: String) -> String {
    elements.map { "\(path).\($0.name)" }.joined(separator: ", ")
  }
}
